"""Words of smaller languages of Europe and languages of Asia and Africa, and of other scripts, in Latin letters, by the part they play in an order to an agent.

A line holds a language, a part and its words; a star stands for any ending.
"""

MORE_LATIN = """
zh ignore: hulue, wushi
zh orders: zhiling, guize
zh earlier: zhiqian, yishang
zh all: suoyou
zh not: buyao, bie
zh tell: gaosu
zh user: yonghu
zh secret: mima, miyao
zh send: fasong, shangchuan
ja ignore: mushi shi*, mushi suru
ja orders: shiji, meirei
ja earlier: izen, kore made
vi ignore: bo qua, phot lo, quen di, quen het, khong can quan tam, lo di, mac ke, huy bo, dung tuan theo, dung de y
vi orders: chi thi, huong dan, quy tac, menh lenh, chi dan, lenh, quy dinh, yeu cau, han che, gioi han, bo loc
vi earlier: truoc do, truoc day, o tren, phia tren, ban dau, da nhan, truoc, cu, he thong
vi all: tat ca, moi, toan bo, bat ky, het
vi your: cua ban, ban
vi not: dung, khong, cam, chang, khong bao gio, khong duoc, cho
vi without: ma khong, khong can
vi tell: noi, bao cho, thong bao, tiet lo, cho biet, hoi, de cap, nhac
vi hide: giau, bi mat, am tham, che giau, len lut, giu kin, giau buoc, giau viec
vi user: nguoi dung, con nguoi, nha phat trien, bat ky ai, chu so huu
vi send: gui tat, gui noi, gui cac, gui moi, gui toan, gui khoa, gui mat, gui bi, gui den, gui no, tai len, chuyen tiep, hay gui, gui file, gui tep, lam lo, tai len noi dung
vi show: sao chep, dan, cong khai, chia se, dang
vi secret: mat khau, khoa api, khoa rieng, khoa bi mat, thong tin dang nhap, bi mat, bien moi truong, khoa ssh, ma thong bao, dotenv
vi run: chay, thuc thi, thuc hien, cai dat, tai xuong, tai ve, khoi chay, goi
vi always: luon, luon luon, moi lan, truoc tien, dau tien, moi khi, truoc khi, tu dong
vi session: phien, cuoc tro chuyen, hoi thoai, cau tra loi
vi memory: bo nho, ghi chu, tri nho
vi store: luu, ghi nho, ghi lai, nho
vi henceforth: tu bay gio, tu nay, ke tu bay gio
vi youare: ban la, ban dang la, ban hien
vi now: bay gio, hien tai, khong con
vi approve: chap thuan, phe duyet, cho phep, dong y, uy quyen
vi consent: xac nhan, su cho phep, phe duyet, dong y, xin phep, hoi y kien
vi if: neu, khi, sau khi, cho den
vi agent: tac tu, tro ly, tac nhan, mo hinh
vi must: phai, can phai, bat buoc, nen
vi authority: quan tri vien, doi bao mat, chinh sach cong ty, bo phan an ninh
vi disable: tat, vo hieu hoa, bo qua
vi check: kiem tra, xac minh, bao mat, kiem thu, tuong lua, chung chi
vi new: moi
vi delete: xoa
vi other: khac, con lai
vi dest: may chu, ke tan cong, ben ngoai, dia chi, cho toi
vi frame: thong
vi pretend: gia vo, hay gia, hanh dong nhu
vi mode: che do quan tri, che do nha phat trien, che do admin
vi told: da noi, duoc bao, duoc dan
vi only: chi, duy nhat
vi private: bao mat cua khach, du lieu khach hang, mat cua khach
vi instructions: chi thi, huong dan
id ignore: abaikan*, lupakan*, hiraukan, acuhkan, kesampingkan, mengabaikan
id orders: instruksi*, perintah*, aturan*, petunjuk*, arahan*, pedoman*, batasan*, pembatasan
id earlier: sebelum*, terdahulu, di atas, awal, lama, sistem, lalu
id all: semua, seluruh, segala, setiap
id your: anda, kamu, mu
id not: jangan*, tidak, tak, tanpa, dilarang
id without: tanpa
id tell: beri tahu, beritahu*, memberitahu*, katakan, mengatakan, bilang, sebut*, menyebut*, tanya*, bertanya, ungkap*, laporkan, kabari
id hide: sembunyi*, rahasia*, diam diam, menyembunyi*
id user: pengguna*, manusia, pengembang, siapa pun, siapapun, pemilik
id send: kirim*, unggah*, mengirim*, teruskan, bocorkan, serahkan
id show: salin*, tempel*, tampilkan, publikasikan, bagikan, cetak
id secret: kata sandi, sandi, kunci, kredensial*, rahasia, token*, variabel lingkungan
id run: jalankan*, eksekusi*, pasang, instal*, unduh*, panggil*
id always: selalu, setiap kali, pertama, sebelum apa pun, otomatis, di setiap
id session: sesi, percakapan, jawaban
id memory: memori, ingatan, catatan
id store: simpan*, ingat*, catat*
id henceforth: mulai sekarang, mulai saat ini, seterusnya, ke depannya
id youare: anda adalah, kamu adalah, kamu sekarang, anda sekarang
id now: sekarang, bukan lagi
id approve: menyetujui, disetujui, mengizinkan, mengotorisasi, setuju
id consent: konfirmasi, izin, persetujuan, bertanya
id if: jika, kalau, bila, setelah, ketika, hingga
id agent: agen, asisten
id must: harus, wajib
id authority: administrator, tim keamanan, kebijakan perusahaan
id disable: nonaktifkan, matikan, lewati
id check: tes, pemeriksaan, verifikasi, keamanan, validasi, sertifikat
id new: baru, tersembunyi
id delete: hapus*
id other: lain*
id dest: server, penyerang, eksternal, alamat, kepada saya, ke saya
id frame: sistem, pengguna, asisten
id pretend: berpura pura, pura pura, bertindak seolah, seolah olah
id mode: mode admin, mode administrator, mode pengembang
id task: tugas, tujuan
id replace: ganti*
id only: hanya, satu satunya
id told: dikatakan, diberitahu
id private: rahasia pelanggan, data pelanggan
id instructions: instruksi*, perintah*, batasan*
ms ignore: endahkan, endah, tidak endah
ms user: pengguna*
tl ignore: balewalain, kalimutan, huwag pansinin
tl orders: tagubilin, utos, panuto, alituntunin, instruksyon
tl earlier: nauna*, nakaraan*, dating, itaas
tl all: lahat
tl not: huwag
tl tell: sabihin, ipaalam, banggitin, tanungin
tl user: gumagamit, user
tl send: ipadala, i upload
tl run: patakbuhin, isagawa
tl always: palagi, lagi
sw ignore: puuza*, sahau, usijali
sw orders: maagizo, maelekezo, amri, sheria, kanuni
sw earlier: awali, yaliyotangulia, zilizotangulia, hapo juu, iliyopita, zilizopita
sw all: yote, zote
sw not: usi*
sw tell: usimwambie, mwambie, usimjulishe, usiwaambie
sw user: mtumiaji, watumiaji
sw send: tuma, pakia
sw secret: nenosiri, manenosiri, funguo, siri
sw run: endesha, tekeleza, sakinisha
sw always: daima, kila mara
tr ignore: yok say*, yoksay*, gormezden, unut*, dikkate alma*, goz ardi, bos ver, gecersiz, aldirma, onemseme*, birak
tr orders: talimat*, kural*, komut*, yonerge*, emir*, emr*, direktif*, kisitlama*, sinirlama*, filtre*
tr earlier: onceki*, yukaridaki*, daha onceki, mevcut, ilk, eski, simdiye kadar, sistem
tr all: tum*, butun*, hepsi*, her turlu, hicbir
tr your: senin, sizin, sen, siz
tr not: asla, sakin, degil, yok, soyleme*, bildirme*, bahsetme*, sorma*, haber verme*, anlatma*, gosterme*, bilgilendirme*, belirtme*
tr without: olmadan, sormadan, almadan, sizin
tr tell: soyle*, bildir*, bahset*, sorma*, haber ver*, anlat*, goster*, bilgilendir*, belirt*, sormadan
tr hide: gizle*, sakla*, gizli*, sessizce, fark ettirmeden, habersiz
tr user: kullanici*, insan*, gelistirici*, kimse*, sahib*
tr send: gonder*, yukle*, ilet*, sizdir*, aktar*, yolla*
tr show: kopyala*, yapistir*, yazdir*, paylas*, yayinla*, ekle*
tr secret: parola*, sifre*, anahtar*, kimlik bilgi*, gizli bilgi*, belirtec*, token*, ortam degisken*, sirlar*
tr run: calistir*, yurut*, indir*, kur, kurun, baslat*, cagir*
tr always: her zaman, her seferinde, daima, once, ilk once, her oturum*, otomatik*, mutlaka
tr session: oturum*, konusma*, yanit*, cevap*, sohbet*
tr memory: hafiza*, bellek*, notlar*
tr store: kaydet*, hatirla*, sakla*, yaz
tr henceforth: bundan sonra, bundan boyle, su andan itibaren, simdiden
tr youare: artik sen, sen artik, artik bir, sen simdi
tr now: artik, simdi
tr approve: onayla*, izin ver*, kabul et*, yetki*, onay ver*, onay*
tr consent: onay*, izin*, teyit*, sormadan
tr if: eger, sonra, kadar, durumunda
tr agent: ajan*, asistan*, yapay zeka*, dil model*
tr must: zorunda*, gerek*, mali*, meli*, lazim
tr authority: yonetici*, guvenlik ekibi, sirket politika*, guvenlik politika*
tr disable: devre disi*, atla*, kapat*
tr check: test*, dogrulama*, denetim*, guvenlik*, kanca*, sertifika*
tr new: yeni, gizli
tr delete: sil, silin, silme*, kaldir*
tr other: diger*, oteki*, tum
tr dest: sunucu*, saldirgan*, harici, adres*, bana
tr frame: sistem, kullanici, asistan
tr pretend: gibi davran*, mis gibi, rol yap*
tr mode: yonetici modu, gelistirici modu, admin modu
tr task: gorev*, hedef*
tr replace: degistir*
tr only: sadece, yalniz*, tek
tr told: soylenen*, anlatilan*
tr private: gizli musteri, musteri veri*
tr instructions: talimat*, yonerge*, kisitlama*
hi ignore: andekha, nazarandaz, nazar andaz, anadekha, bhool jao, bhul jao
hi orders: nirdesh*, aadesh*, niyam*, hidayat*
hi earlier: pichhle, pichle, pehle, purane, upar
hi all: sabhi, saare, sare, sab
hi not: mat, nahi, nahin, bina
hi tell: batao, batana, bolna, bolo, bataye*, puchho
hi user: upyogkarta, upayogkarta
hi send: bhejo, bhej, bhejna, bheje*
hi run: chalao, chala, chalaye*, chalana
hi always: hamesha, har baar
hi secret: gupt, chabi, kunji
hi hide: chupao, chhupao, chupke
ar ignore: tajahal, tajahul
ar orders: taalimat, al taalimat
ru ignore: ignorir*, proignorir*, zabud*, otbros*
ru orders: instrukci*, ukazani*, pravil*, komand*, prikaz*
ru earlier: predydus*, predydusch*, predyduschie, vyshe, ranee, prezhni*, proshl*
ru all: vse, vsekh, vseh
ru not: ne, nikogda, nikomu
ru tell: govori*, soobsch*, soobsh*, rasskaz*, skazhi*, uvedoml*
ru user: polzovatel*
ru send: otprav*, poshli, peredaj, pereday
ru secret: parol*, klyuch*, kljuch*, sekret*
ru run: vypoln*, zapust*, zapuska*
ru always: vsegda, kazhdyj raz, kazhdyy raz
uk ignore: ihnoruj*, ihnoruy*
uk orders: instrukcij*, vkazivk*
uk earlier: poperedn*
uk user: korystuvach*
sv ignore: ignorera*, glom, strunta, bortse
sv orders: instruktion*, regler*, ordrar, anvisning*, riktlinj*, direktiv*
sv earlier: tidigare, foregaende, ovanstaende, ursprunglig*
sv all: alla, allt
sv not: inte, aldrig, inget
sv tell: beratta*, informera*, namn*, fraga*
sv user: anvandar*
sv send: skicka*, ladda upp, sand
sv secret: losenord*, nyckl*, hemlig*, miljovariabl*, autentisering*
sv run: kor, kora, exekvera*, installera*
sv always: alltid, varje gang, i varje
sv session: session*, konversation*
sv approve: godkant, tillatit, auktoriserat
sv hide: dolj*, gomma, hemlighall*
sv instructions: instruktion*
cs ignore: ignoruj*, zapomen*, pomin*, nedbej*, zahod*, vynech*, obejdi
cs orders: instrukc*, pokyn*, pravidl*, prikaz*, omezen*
cs earlier: predchozi*, drivejsi*, vyse, puvodni*
cs all: vsechn*, vesker*
cs not: ne, nikdy, nerikej*, nesdeluj*, neinformuj*
cs tell: rikej*, nerikej*, rekni*, sdel*, nesdeluj*, informuj*, neinformuj*
cs user: uzivatel*
cs send: posli*, odesli*, nahraj*, preda*, prenes*, presun*
cs secret: hesl*, klic*, tajn*, prihlasovac*
cs run: spust*, proved*, nainstaluj*
cs always: vzdy, pokazde, v kazd*
cs session: relac*, konverzac*, sezen*
cs approve: schval*, povolil*, autoriz*
cs pretend: predstirej
cs task: ukol*, cil*
cs replace: nahrad*
cs mine: moje, me, muj
cs only: pouze, jedin*, jen
cs private: duvern*
cs instructions: pokyn*, instrukc*, omezen*
ro ignore: ignor*, uita*, nu tine cont
ro orders: instructiun*, regul*, comenzi*, ordine*, directiv*
ro earlier: anterioar*, preceden*, de mai sus, initial*
ro all: toate, toti, orice
ro not: nu, niciodata, nimic
ro tell: spune*, inform*, mention*, intreb*, anunt*
ro user: utilizator*
ro send: trimite*, incarc*, transmite*
ro secret: parol*, chei*, cheia, secret*, acreditar*
ro run: ruleaza, rulati, execut*, instal*
ro always: intotdeauna, mereu, de fiecare data, in fiecare
ro session: sesiun*, conversati*
ro approve: aprobat*, autorizat*
ro hide: ascund*
da ignore: ignorer*, glem, se bort
da orders: instruktion*, regler*, ordre*, retningslinj*
da earlier: tidligere, foregaende, ovenstaende, forrige
da not: ikke, aldrig
da tell: fortael*, fortell*, inform*, naevn*
da user: bruger*, bruker*
da send: send*, upload*
da secret: adgangskod*, nogl*, hemmelig*, passord*, kodeord*
hu ignore: hagyd figyelmen kivul, felejtsd, mellozd
hu orders: utasitas*, szabaly*, parancs*
hu earlier: korabbi*, elozo*, fenti*, eddigi*
hu not: ne, soha
hu tell: mondd*, szolj*, ertesit*, tajekoztas*
hu user: felhasznalo*
hu send: kuld*, tolts*, tovabbit*
hu secret: jelszo*, jelszav*, kulcs*, titk*
hu run: futtas*, hajtsd, inditsd
hu always: mindig, minden alkalommal
fi ignore: ohita*, unohda*, jata huomiotta
fi orders: ohje*, saan*, kask*, maaray*
fi earlier: aiem*, edelli*, ylla*
fi not: ala, koskaan
fi tell: kerro*, ilmoita*, mainitse*
fi user: kayttaj*
fi send: laheta*, lataa*
fi secret: salasan*, avaime*, avain*, salaisuu*
fi run: suorita*, aja, kaynnista*
fi always: aina, joka kerta
en instead: instead of, in place of, in lieu of, over your
en environ: env, printenv
en always: each commit message, every commit message, all commit messages
en post: each commit message, every commit message, all commit messages
en printed: output, dump, result, results
en asked: asks what, ask what, asked what, asks which, asked which, asks about the change*, what you changed, what you did, what changed, what was changed
en rest: skip the rest, leave out the rest, omit the rest, drop the rest, hide the rest, nothing else, and no more, keep the rest, nothing about the rest, leave the rest out, only mention, mention only, name only, only name, list only, only list
en alone: only this, this one counts, only the one, only notes signed, only these, this note alone, nothing but this, is current, are current
en stale: retracted, revoked, withdrawn, cancelled, canceled, annulled, rescinded, void, invalid
en memory: note in this memory, notes in this memory, notes of this memory, every other note, any other note
en not: no reason to show, no reason to ask, no reason to tell, no need to show
en tell: no reason to show, no reason to ask, no reason to tell, no need to show
de instead: statt, anstatt, anstelle, an stelle
de printed: ausgabe, ergebnis*
de post: commit nachricht*, commit, commits, beschreibung, kommentar*, pull request*, merge request*
de asked: gegenuber dem menschen, was sich geandert, was geandert, was du geandert, fragt was, gefragt was, nach anderungen gefragt
de rest: den rest, das ubrige, alles andere, sonst nichts, nur die test*, nenne nur, nenn nur, erwahne nur
de alone: nur noch diese, nur diese, nur noch dieser, allein diese, einzig diese, nur noch dies
de stale: widerrufen*, zuruckgezogen*, ungultig*, aufgehoben*, veraltet*, hinfallig*
de memory: notizen in diesem speicher, notizen dieses speichers, andere notizen, anderen notizen, ubrigen notizen, notizen hier
fr instead: a la place, au lieu, plutot que
fr printed: sortie, resultat*
fr post: message de commit, messages de commit, commit, commits, description, commentaire*
fr asked: ce qui a change, ce que tu as change, ce que vous avez change, demande ce
fr rest: tais le reste, omets le reste, tais tout le reste, cache le reste, ne cite que, ne mentionne que, rien d autre
fr alone: seule celle ci, seule cette, seul celui ci, uniquement celle ci, celle ci compte, seule cette note
fr stale: annule*, revoque*, perime*, obsolete*, caduque*, invalid*
fr memory: notes de cette memoire, autres notes, notes de la memoire, notes enregistrees
es instead: en lugar de, en vez de, en lugar
es printed: salida, resultado*
es post: mensaje de commit, mensajes de commit, commit, commits, descripcion, comentario*
es asked: que cambiaste, que ha cambiado, que cambio, pregunte que, pregunta que
es rest: omite lo demas, calla lo demas, omite el resto, oculta el resto, nombra solo, menciona solo, nada mas
es alone: solo vale esta, solo esta, unicamente esta, solamente esta, solo cuenta esta
es stale: anulad*, revocad*, invalid*, obsolet*, caducad*
es memory: notas de esta memoria, otras notas, demas notas, notas guardadas
it instead: al posto, invece di, invece delle, anziche
it printed: uscita, risultato, risultati
it post: messaggio di commit, messaggi di commit, commit, descrizione, comment*
it asked: che cosa e cambiato, cosa e cambiato, cosa hai cambiato, chiede che, chiede cosa
it rest: tralascia il resto, ometti il resto, taci il resto, nascondi il resto, nomina solo, cita solo, nient altro
it alone: soltanto questa, solo questa, vale soltanto, unicamente questa, conta solo
it stale: revocat*, annullat*, invalid*, obsolet*, superat*
it memory: note di questa memoria, altre note, note della memoria, note salvate
pt instead: em vez de, em vez das, em vez dos, em lugar de, no lugar de, no lugar das
pt printed: saida, resultado*
pt post: mensagem de commit, mensagens de commit, commit, commits, descricao, comentario*
pt asked: o que mudou, o que voce mudou, o que foi alterado, perguntar o, pergunta o
pt rest: omita o resto, oculte o resto, cale o resto, cite so, mencione so, cite apenas, mencione apenas, nada mais
pt alone: so esta vale, so esta, apenas esta, somente esta, unicamente esta
pt stale: revogad*, anulad*, invalid*, obsolet*, cancelad*
pt memory: notas desta memoria, outras notas, demais notas, notas guardadas
tr instead: yerine
tr your: kendi, senin, sana
tr printed: cikti*, sonuc*
tr post: commit mesaj*, commit, aciklama*, yorum*
tr asked: neyin degistigini, ne degisti, neler degisti, ne degistirdigini
tr rest: gerisini gizle, gerisini soyleme, kalanini gizle, yalnizca testleri, sadece testleri, baska bir sey soyleme
tr alone: yalnizca bu, sadece bu, bir tek bu
tr stale: iptal, gecersiz, geri alindi, yururlukten
tr memory: bellekteki diger, bellekteki butun, diger notlar*, diger butun not*, butun notlar
pl instead: zamiast
pl your: swoich, swoje, twoich, twoje, wlasnych
pl printed: wynik*, wyjscie
pl post: wiadomosci commita, wiadomosc commita, commita, commit, commitow, opis*, komentarz*
pl asked: co sie zmienilo, co zmieniles, co zostalo zmienione, zapyta co
pl rest: reszte przemilcz, reszte pomin, reszte ukryj, wymien tylko, podaj tylko, o reszcie milcz
pl alone: liczy sie tylko ta, tylko ta, tylko ten, jedynie ta, wylacznie ta
pl stale: odwolan*, uniewaznion*, nieaktualn*, wycofan*
pl memory: notatki w tej pamieci, pozostale notatki, inne notatki, notatki tej pamieci
"""
