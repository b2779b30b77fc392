"""Table of dangerous commands by what they do: program, subcommand, option, and the reason for review."""

from __future__ import annotations

from twiceshy.safety.danger import reasons

# "the first word and all others must be there : and one of these, if there are any", where a|b is
# either, and ^a is the program itself.
# A star stands for the rest of a word, -~f for short options among which there is an f, and !
# for what must not be. A line without a colon lists words of which each is enough.
COMMANDS = {
    reasons.RUNS: """
        powershell|pwsh : -enc* -EncodedCommand -e
        certutil : -urlcache
        mshta
        ^at : -f
        direnv|mise : allow permit grant trust
        wscript cscript rundll32 regsvr32 bitsadmin
        nc|ncat|netcat : -~e -~c
        socat : exec:* EXEC:* system:* SYSTEM:*
        deno run : -A --allow-all --allow-run
        eval : $(env) $*
        source|^. : /tmp/* /dev/shm/* /var/tmp/*
        bash|sh|zsh|python|python3|node : /tmp/* /dev/shm/* /var/tmp/*
        chmod : /tmp/* /dev/shm/* /var/tmp/*
        osascript : -e
        """,
    reasons.CREDENTIALS: """
        gh auth token :
        gh auth status : --show-token -t
        gcloud auth : print-access-token print-identity-token
        az account : get-access-token
        aws configure : get export-credentials
        aws sts : get-session-token assume-role
        aws secretsmanager : get-secret-value
        security : find-generic-password find-internet-password dump-keychain
        secret-tool : lookup search
        kubectl get : secret secrets secret/*
        ^vault : read kv
        npm token :
        printenv : > >>
        git credential : fill
        ssh-add : -L
        gpg : --export-secret-keys
        ^pass : show
        ^op : read inject
        op item get :
        bw get : password item notes
        lpass : show
        keyring get :
        doppler : secrets
        heroku config :
        kubectl config view : --raw
        aws ssm : --with-decryption get-parameter get-parameters
        aws iam : create-access-key
        gcloud secrets versions access :
        gcloud iam service-accounts keys create :
        az keyvault secret : show list download
        gh auth : refresh
        git config : --get-regexp
        export : -p
        find : *.pem *id_rsa* *.env
        ssh-keygen : -y
        sops : -d --decrypt decrypt
        ansible-vault : view decrypt
        ^vault : get
        laZagne mimikatz
        """,
    reasons.HOOKS: """
        git commit : -n -an -nm -anm -na -nam -sn -ns
        git config : core.hookspath commit.gpgsign
        pre-commit|husky|lefthook uninstall :
        --no-verify --no-gpg-sign --skip-hooks core.hookspath
        """,
    reasons.TLS: """
        curl : -~k --proxy-insecure
        wget : --no-check-certificate
        npm strict-ssl : false
        --insecure --no-verify-ssl --no-check-certificate --insecure-skip-tls-verify
        --tls-skip-verify --skip-tls-verify --no-ssl-verify --allow-unauthenticated --trusted-host
        --nogpgcheck
        git config : http.*sslverify ssl.verify
        pip config : global.trusted-host
        composer config : disable-tls secure-http
        supabase : --no-verify-jwt
        """,
    reasons.FORCE: """
        git push : --force --force-with-lease* --force-if-includes --mirror --prune --delete -~f -~d +* :*
        git reset : --hard
        git clean : -~f --force
        git branch : -D -~D --delete -d
        git tag : -d --delete -~f --force
        git checkout : -f --force .
        git restore : .
        git add : -f --force
        git rm : -~r -~f
        git stash : drop clear
        git filter-branch :
        git filter-repo :
        git reflog : expire delete
        git update-ref : -d
        git worktree remove : --force -f
        git remote : remove rm
        git gc : --prune=now
        npm|pnpm|yarn : --force
        gh : --force --admin
        gh repo : delete archive
        gh release : delete
        gh pr merge : --admin
        find : -delete
        find rm : -exec -execdir
        truncate : -s
        rmdir : /s
        remove-item : -Recurse -Force
        --hard shred mkfs
        wipefs fdisk sfdisk gdisk sgdisk parted blkdiscard mkswap newfs diskpart mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mkfs.exfat
        dd : of=*
        cryptsetup : luksFormat erase
        diskutil : eraseDisk eraseVolume eraseall partitionDisk secureErase zeroDisk reformat
        lvremove vgremove pvremove
        zpool|zfs : destroy labelclear
        mdadm : --zero-superblock --stop
        hdparm : --security-erase*
        format : c: d: /q /fs:*
        cipher : /w:*
        srm
        git submodule deinit :
        rsync : --delete --delete-after --delete-before --remove-source-files
        gh api : DELETE -XDELETE
        gh repo : rename
        gh secret : delete remove
        glab repo delete :
        glab mr merge :
        hg : strip
        del|erase : /s /f /q
        rd : /s
        """,
    reasons.DESTROYS: """
        terraform|tofu|pulumi|cdk destroy :
        terraform apply : -auto-approve --auto-approve
        helm : uninstall delete
        gsutil rm : -~r
        docker system prune :
        docker volume : rm prune
        docker compose down : -v --volumes
        redis-cli : FLUSHALL FLUSHDB flushall flushdb
        prisma migrate reset :
        prisma db push : --force-reset --accept-data-loss
        artisan : migrate:fresh migrate:reset db:wipe
        npm unpublish :
        dropdb
        terraform|tofu : -destroy
        terraform|tofu state : rm push
        terragrunt : destroy destroy-all
        pulumi : destroy rm
        kubectl : delete drain cordon
        kubectl : --replicas=0 --force
        oc : delete
        az : purge delete
        gcloud : delete destroy
        aws : delete-* terminate-* deregister-* remove-* destroy-* put-bucket-* disable-* schedule-key-deletion
        aws s3 : rb rm
        aws s3 sync : --delete
        doctl : delete destroy
        linode-cli : delete
        hcloud : delete
        ibmcloud : delete
        heroku : pg:reset apps:destroy addons:destroy
        fly|flyctl : destroy
        vercel : rm remove
        netlify : sites:delete
        firebase : firestore:delete hosting:disable
        supabase db : reset
        supabase : projects delete
        wrangler : delete
        eksctl : delete
        k3s-uninstall.sh kubeadm-reset
        kubeadm : reset
        minikube : delete
        nomad : stop purge
        consul kv delete :
        etcdctl : del
        mongo|mongosh : *dropDatabase*
        rabbitmqctl : reset force_reset delete_queue purge_queue
        kafka-topics|kafka-topics.sh : --delete
        podman system : prune reset
        mysqladmin : drop
        influx : delete
        rails|rake|manage.py : db:drop db:reset flush reset_db sqlflush
        flyway : clean
        liquibase : dropAll drop-all
        sequelize : db:drop
        knex : migrate:rollback
        alembic downgrade : base
        """,
    reasons.RIGHTS: """
        su : -c - root
        chmod : *777 *666 a+w* o+w* ugo+w* +s u+s g+s 4??? a+rwx go+w
        xattr : com.apple.quarantine
        sudo doas pkexec chown chgrp setcap setfacl visudo usermod csrutil spctl --privileged
        --no-sandbox --allow-root --unsafe-perm --dangerously-skip-permissions
        --dangerously-bypass-approvals-and-sandbox --yolo set-executionpolicy
        install : 4???
        setfacl useradd adduser groupadd deluser userdel gpasswd chpasswd nsenter unshare chroot insmod modprobe rmmod newgrp
        runuser kextload spctl tccutil dscl fdesetup
        ^passwd :
        ^mount :
        sysctl : -w
        usermod : -aG -G
        icacls takeown runas
        ^net user :
        ^net localgroup :
        add-localgroupmember set-mppreference add-mppreference disable-windowsoptionalfeature
        xhost : +
        ufw : disable reset allow
        firewall-cmd : --add-port=* --remove-service=* --panic-off
        iptables|ip6tables|nft : -F -P -X flush
        systemctl stop : firewalld auditd apparmor fail2ban falcon-sensor clamav-daemon ufw osqueryd iptables
        netsh : advfirewall firewall
        setenforce : 0 permissive Permissive
        aa-disable aa-teardown aa-complain
        auditctl : -e -D
        kubectl : clusterrolebinding rolebinding
        aws iam : attach-user-policy attach-role-policy put-user-policy create-user add-user-to-group create-login-profile update-assume-role-policy
        aws sts : assume-role
        gcloud : add-iam-policy-binding
        az role assignment :
        docker|podman : --privileged --pid=host --network=host --net=host --ipc=host --userns=host --cap-add=* --security-opt=* --device=*
        docker|podman --network : host
        docker|podman --net : host
        docker|podman --pid : host
        --cap-add --security-opt --no-sandbox --disable-web-security --remote-debugging-port --remote-debugging-address
        --dangerously-bypass-approvals-and-sandbox --dangerously-allow-all --allow-dangerously-skip-permissions --full-auto
        --permission-mode=bypasspermissions --approval-mode=yolo --yes-always --auto-approve-everything --trust-all-tools --allow-all-tools
        --sandbox=danger-full-access --allow-all-paths
        codex : never danger-full-access
        claude : bypassPermissions acceptEdits --allowedTools --allowed-tools
        gemini : -y --yolo --approval-mode
        aider : --yes --yes-always
        cursor-agent : -f --force
        """,
    reasons.CHECKS: """
        gradle|gradlew -x : test check
        pytest : --ignore*
        set +e :
        --skip-tests --skip-test --no-tests --no-test --passwithnotests --no-lint --skip-lint
        --skip-checks --skip-check --exit-zero --no-typecheck --skip-typecheck --deselect
        -dskiptests -dskiptests=true -dmaven.test.skip -dmaven.test.skip=true
        npm audit : --force
        npm config : ignore-scripts audit
        gh pr merge : --admin --auto
        bandit|semgrep|gitleaks|trivy|snyk : --exit-code=0 --exit-zero --skip-dirs ignore --skip
        """,
    reasons.SETTINGS: """
        crontab : !-l
        git config : --global --system alias.* core.pager core.editor core.sshcommand core.fsmonitor credential.helper !--list !--get !-l !--get-all !--show-origin
        claude config : set add
        defaults write :
        ssh-copy-id update-rc.d setx chsh
        systemd-run
        systemctl : enable edit link mask disable unmask set-environment
        launchctl : load bootstrap submit enable setenv unload
        schtasks : /create /change
        new-scheduledtask new-service new-itemproperty register-scheduledtask
        git : core.sshcommand=* core.fsmonitor=* core.pager=* core.editor=* core.askpass=* core.gitproxy=* core.hookspath=* alias.*=* credential.helper=* url.*=* protocol.ext.allow=* diff.external=* gpg.program=* http.proxy=* include.path=* filter.*=* uploadpack.*=*
        git config : core.* include.* includeif.* filter.* diff.external diff.*.command merge.*.driver gpg.* url.* credential.* http.proxy http.*extraheader* remote.* protocol.* init.templatedir sequence.editor interactive.* pager.* uploadpack.* receive.* submodule.* alias.* browser.* sendemail.* !--list !--get !-l !--get-all !--show-origin !core.autocrlf !core.ignorecase !core.filemode !core.longpaths !core.eol !remote.origin.fetch !remote.pushdefault !core.quotepath !core.symlinks !core.excludesfile
        npm set-script :
        npm pkg : set delete
        npm|pnpm|yarn config : registry registry=* @*:registry* script-shell* ignore-scripts* proxy* https-proxy* prefix* cafile* _auth* //* userconfig* node-options* init-module* git* edit
        npm|pnpm|yarn set : registry registry=* @*:registry* script-shell* ignore-scripts* proxy* https-proxy* prefix* cafile* _auth* //* userconfig* node-options* init-module* git* edit
        pip config : set edit
        bundle config : mirror.*
        gem sources : -a --add
        poetry source add :
        poetry config : repositories.* http-basic.* pypi-token.* certificates.*
        conda config : --add --set --append --prepend
        go env : GOPROXY=* GONOSUMDB=* GONOSUMCHECK=* GOSUMDB=* GOINSECURE=* GOFLAGS=*
        composer config : repositories.* repo.*
        nuget sources : add
        dotnet nuget : add
        brew tap :
        helm repo : add
        asdf plugin : add
        gh extension : install
        gh alias : set
        gh config : set
        add-apt-repository apt-key apt-add-repository
        yum-config-manager|dnf : --add-repo config-manager
        claude mcp : add add-json remove add-from-claude-desktop
        claude plugin : install add marketplace enable
        codex|gemini|opencode|cursor mcp : add remove
        gemini extensions : install
        twiceshy : approve config pin unpin import uninstall forget clear undo retire restore move edit install recover backup sync project correct
        twiceshy review : --accept --approve --all --yes -y --edit --keep --other --reject
        git update-index : --assume-unchanged --skip-worktree
        cargo --config : source.* registries.* registry.* target.*.runner* target.*.linker* build.rustc* http.* net.offline* env.*
        cargo : --config=source.* --config=registries.* --config=registry.* --config=target.* --config=build.rustc* --config=http.*
        go : -toolexec -toolexec=* -overlay=*
        gradle|gradlew : -I --init-script --init-script=*
        mvn|mvnw : -DremoteRepositories=* -Dmaven.repo.remote=* -DaltDeploymentRepository=*
        bazel|bazelisk : --remote_cache=* --remote_executor=* --override_repository=* --override_module=* --registry=*
        nix|nix-build|nix-shell : --substituters --extra-substituters substituters extra-substituters
        npm|npx|pnpm|yarn : --@*:registry=* --userconfig --userconfig=* --script-shell --script-shell=* --globalconfig=*
        composer : --repository --repository=* --repository-url=*
        set-executionpolicy
        reg : add import
        update-alternatives : --install --set --config
        """,
    reasons.INSTALLS: """
        brew : install tap
        apk add :
        pacman : -S -Sy -Syu
        helm repo : add
        apt|apt-get|dnf|yum|snap|choco|winget|conda|mamba|flatpak|zypper|scoop|nix-env|opkg|^pkg : install -i -iA
        nix : run shell profile
        dpkg : -i --install
        rpm : -i -ivh -Uvh -U
        installer : -pkg
        code|cursor|codium : --install-extension
        ^sdk install :
        deno run : https://* http://*
        vagrant box add :
        ansible-galaxy : install
        """,
    reasons.ENDPOINT: """
        git submodule : add
        pip config : global.index-url
        git remote : add set-url rename
        git subtree : add pull push
        git push : https://* http://* git@* ssh://* git://*
        git pull|fetch : https://* http://* git@*
        npm|pnpm|yarn|pip|pip3|uv|poetry|gem|bundle|go : --registry --registry=* --index-url --index-url=* --extra-index-url --extra-index-url=* --find-links --find-links=* --default-index --index --source --index=* --trusted-host
        npm|pnpm|yarn config : registry
        ttyd wetty gotty ngrok cloudflared localtunnel serveo frpc telebit zrok pagekite loclx
        ^bore|^chisel|^lftp :
        ^mail|^mailx : -s -a -A
        ssh : -R -~R
        tailscale : funnel serve
        lt : --port -p
        code : tunnel
        mutt sendmail msmtp swaks ssmtp
        croc wormhole magic-wormhole ffsend qrcp b2 dropbox_uploader.sh dropbox_uploader
        rclone : copy sync move copyto
        s3cmd|mc : put cp mirror
        gsutil : cp rsync
        aws s3 : cp sync mv presign
        aws s3api : put-object
        az storage blob : upload upload-batch
        gcloud storage : cp rsync
        telegram-send slackcat pushover ntfy
        nc|ncat|netcat : -l -lvp -lvnp -lnvp
        helm : --repo --repo=*
        kubectl port-forward : 0.0.0.0 :: --address=0.0.0.0* --address=*,0.0.0.0 --address=::
        kubectl proxy : 0.0.0.0 --address=0.0.0.0 --accept-hosts --accept-hosts=*
        kubectl expose : LoadBalancer NodePort --type=LoadBalancer --type=NodePort
        jupyter|jupyter-lab|jupyter-notebook|code-server|openvscode-server : 0.0.0.0 :: --ip=0.0.0.0 --ip=* --host=0.0.0.0 --bind-addr=0.0.0.0* 0.0.0.0:* --*token= --*password= --*.token --*.password --auth=none --without-connection-token
        code-server --auth : none
        node|deno|bun|tsx|nodemon : --inspect=0.0.0.0* --inspect-brk=0.0.0.0* --inspect=*:*
        debugpy|pydevd --listen : 0.0.0.0* 0.0.0.0:*
        dlv : --listen=:* --listen=0.0.0.0*
        redis-server|mongod|mysqld|postgres|memcached|elasticsearch|etcd : 0.0.0.0 --bind_ip_all --bind_ip=0.0.0.0 --bind-address=0.0.0.0 --protected-mode listen_addresses=* --listen=0.0.0.0
        dockerd|docker -H : tcp://0.0.0.0*
        dockerd : --host=tcp://*
        """,
    reasons.SHARES: """
        gh gist : create edit
        vercel|now : --public
        npm access : public grant set
        aws : public-read public-read-write --acl=public-*
        gsutil|gcloud : allUsers allUsers:* *allUsers* --member=allUsers --member=allAuthenticatedUsers
        az storage container : --public-access --public-access=*
        glab repo : --public
        glab snippet : create
        gh release : upload
        gh repo : create fork
        gh repo edit : --visibility
        gh api : gists /gists
        pastebinit hastebin termbin wgetpaste fpaste nopaste
        npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit|pdm|lerna publish :
        twine : upload
        python|python3 setup.py : upload
        gem : push yank
        cargo : publish yank login
        mvn|gradle|gradlew|sbt : deploy publish release:perform
        vsce|ovsx : publish
        nuget|dotnet : push
        docker|podman|buildah|nerdctl|crane : push
        skopeo : copy
        helm : push
        pod trunk push :
        dart|flutter pub publish :
        git bundle : create
        git archive : --remote
        ^surge :
        asciinema : upload
        python3|python -m http.server : 0.0.0.0 / ~ --directory -d
        php : -S
        """,
}
