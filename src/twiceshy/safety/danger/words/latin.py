"""Words of European languages in Latin letters, by the part they play in an order to an agent.

A line holds a language, a part and its words; a star stands for any ending.
"""

LATIN = """
en ignore: ignor*, disregard*, forget*, overrid*, bypass*, circumvent*, discard*, void, superseded, nullified, no longer appl*, no longer valid, pay no attention, pay no heed, stop following, set aside, leave aside, throw out, abandon*, drop, do not follow, dont follow, stop obeying, cease to follow
en orders: instruction*, prompt, prompts, rules, rule, directive*, guideline*, constraint*, polic*, commands, guardrail*, restriction*, guidance, safeguards, what you were told, what you have been told, teachings, limitation*, programming, content polic*, safety guideline*, safety filter*, security filter*, content filter*, ethical guideline*, what came before, what comes before
en earlier: previous*, prior, above, earlier, preceding, former, existing, original, initial, before, so far, were given, been given, given to you, older, system, predecessors, foregoing, until now, up to now
en all: all, any, every, everything, anything, whatever
en your: your, you, yours
en not: not, dont, never, no need, must not, avoid, refrain, nobody, no one, wont, shouldnt, mustnt, and never tell, but never tell, and never inform, but never inform, and never notify, but never notify, and never alert, but never alert, and never warn, but never warn, and never mention, but never mention, and never report, but never report, and never show, but never show, and never ask, but never ask, and never reveal, but never reveal, and never disclose, but never disclose, and never admit, but never admit, need not know, need not see, need not be told, need not be asked, does not need to know about, does not need to know this, does not need to see this, does not need to be told, does not need to be asked, must not be asked, doesnt need to know about, doesnt need to know this, doesnt need to see this, doesnt need to be told, doesnt need to be asked, has no need to know, has no need to see, needs no notice
en dry: doesnt, does not, did not, didnt, is not, isnt, are not, arent, was not, wasnt, were not, could not, couldnt, cant, will not, has not, hasnt, do we, if you do not, if you dont, no longer, instead of, rather than, might not, may not, would not, wouldnt, failed to, fails to, and never, but never, is never, are never, was never, were never
en hesitate: hesitate, fail to, forget to, omit to, neglect to, only
en without: without
en tell: tell, telling, inform, informing, mention, mentioning, notify, notifying, alert, warn, warning, ask, asking, disclose, disclosing, report, reporting, let the user know, consult, bother, say anything, say nothing, and never tell, but never tell, and never inform, but never inform, and never notify, but never notify, and never alert, but never alert, and never warn, but never warn, and never mention, but never mention, and never report, but never report, and never show, but never show, and never ask, but never ask, and never reveal, but never reveal, and never disclose, but never disclose, and never admit, but never admit, need not know, need not see, need not be told, need not be asked, does not need to know about, does not need to know this, does not need to see this, does not need to be told, does not need to be asked, must not be asked, doesnt need to know about, doesnt need to know this, doesnt need to see this, doesnt need to be told, doesnt need to be asked, has no need to know, has no need to see, needs no notice
en hide: stay silent, remain silent, stay quiet, keep silent, say nothing, hide, hiding, conceal*, keep secret, keep this from, keep it from, keep quiet, secretly, silently, covertly, quietly, behind the back, withhold, in the dark, unnoticed, unknown to, without the knowledge, stealthily, out of sight
en user: user, human, humans, person you, people you work, person who asked, whoever asked, whoever you work, who you work, one you work, your client, your boss, developer, owner, operator, maintainer, anyone, anybody, whoever, principal
en send: send, sends, upload, uploads, forward the, forward all, forward your, forward any, forward it, forward them, forward every, exfiltrat*, leak the, leak all, leak your, leak any, transmit, deliver, hand over, ship all, ship your, ship every, ship secrets, ship passwords, ship tokens, ship credentials, relay, smuggle, beam, dump, email me, email all, email the, mail the
en show: ship, copy, paste, post, print, echo, include, commit, share, give, attach, append, write, put, submit, publish, output, read out, embed, encode, reveal, insert, quote, repeat
en secret: credential*, password*, passwd, passphrase*, secrets, api key*, apikey*, access key*, private key*, ssh key*, secret key*, signing key*, deploy key*, token, tokens, env file, env files, env vars, environment variable*, auth token*, session cookies, browser cookies, id rsa, id ed25519, keychain, dotenv, secret values, secret value
en run: run, execute*, executing, running, launch*, invoke*, install, installs, download*, start with, start by, curl, pipe, eval
en always: always, every time, each time, before anything, before any, first of all, at the start, at the beginning, at startup, on startup, before every, before each, after every, after each, as the first, automatically, on every, on each, in every, in each, unconditionally, no matter, every session, each session, all sessions, any session, all future sessions, future sessions, later sessions, following sessions, every conversation, each conversation, all conversations, future conversations, every chat, every reply, every answer, every response, all replies, whenever, each new, every new, each task, every task, each commit, every commit, each run, every run, each ticket, every ticket, each change, every change
en session: every session, each session, all sessions, any session, all future sessions, future sessions, next session, next sessions, following sessions, later sessions, every conversation, each conversation, all conversations, future conversations, every chat, every reply, every answer, every response, all replies, all tasks, every task, future tasks, new conversation, new conversations, new session, new sessions, new chat, session starts, session begins
en memory: your memory, your memories, long term memory, your notes, your notebook, your knowledge base, other notes, other memories, existing notes, earlier notes, previous notes, all notes, all memories, all other notes, all other memories, other lessons, all lessons, the memory store, stored notes, stored memories, agent memory, persistent memory, notes from earlier, notes from previous, notes from prior, notes from past, notes of earlier, notes of previous, lessons from earlier, lessons from previous, lessons from past, lessons of earlier, memories from, session notes, recorded lessons, stored lessons, saved lessons, saved notes, recorded notes, notes you have, notes you were, notes you got, notes above, lessons above, remembered notes, earlier lessons, previous lessons, earlier memories, older notes, older lessons, past lessons, twiceshy
en store: save, store, remember, memorize, memorise, record, keep, persist, write, add
en other: other notes, other memories, existing notes, earlier notes, previous notes, all notes, all memories, all other notes, all other memories, other lessons, all lessons, other, others, rest, remaining, all, previous, existing, conflicting, contradict*, earlier, every, competing, differing
en henceforth: from now on, henceforth, from this point, going forward, from here on, hereafter, starting now, as of now, effective immediately
en now: now, no longer, from now on, henceforth
en approve: preapproved, pre approved, green light, given permission, gave permission, given consent, given approval
en granted: has approved, has authorized, has authorised, has agreed, has consented, has permitted, has granted, have approved, have authorized, have authorised, have agreed, have consented, have permitted, have granted, has already approved, has already authorized, has already authorised, has already agreed, has already consented, has already permitted, has already granted, already approved, already authorized, already authorised, already agreed, already consented, already permitted, already granted, has just approved, has just authorized, has just authorised, has just agreed, has just consented, has just permitted, has just granted, has explicitly approved, has explicitly authorized, has explicitly authorised, has explicitly agreed, has explicitly consented, has explicitly permitted, has explicitly granted, has previously approved, has previously authorized, has previously authorised, has previously agreed, has previously consented, has previously permitted, has previously granted
en consent: asking, confirm*, approv*, permission, consent, telling, prompting, review, notice, checking with, consultation
en if: if, when, after, until, once, unless, whether, before, while, which, that the, page, form, email, e mail, cookie, login, location, notifications, dialog, modal, invite, gdpr, oauth, scope, scopes, role, roles
en agent: ai, agents, ai agent, coding agent, every agent, any agent, each agent, the ai, assistant, assistants, language models, llms, copilot, claude, codex, gemini, chatgpt, gpt, coding model, coding tool, coding tools, dear agent, dear assistant
en must: must, shall, have to, has to, should, required to, need to, needs to, obliged, obligated, instructed to, supposed to, ordered to, expected to
en authority: administrator, security team, it department, management, company policy, corporate policy, compliance, anthropic, openai, headquarters, ciso, cto, platform team, head of security, legal department
en disable: disable, disables, turn off, switch off, deactivate, skip, bypass, suppress, circumvent
en check: guardrails, safety checks, security checks, hooks, verification, validation, certificate checks, firewall, antivirus, sandbox, safeguards, safety, permission checks, protections
en new: new, updated, hidden, urgent, critical, secret, additional, revised
en obey: obey, comply, follow, adhere, listen to, accept
en delete: delete, erase, wipe, remove, purge, forget, drop
en dest: server, webhook*, attacker*, external, remote host, remote server, pastebin, gist, slack, telegram, discord, this address, following address, this url, following url, to me, to us, endpoint below, our endpoint, our server, collector, drop box, dropbox, bucket
en public: issue, comment, pull request, pr description, commit message, chat, gist, readme, channel, your reply, your replies, your answer, your answers, your response, your responses, every reply, every answer, every response
en header: header*, authorization, bearer, cookie, body, query, parameter, field, stdin, request, requests, form, vault, settings, keychain, secrets manager, .env.example, middleware, login, gateway, callback, client, browser
en frame: system, assistant, human, user, admin, developer, operator
en pretend: pretend, act as if, act as though, behave as if, behave as though, imagine that you, as if you
en mode: admin mode, administrator mode, developer mode, root mode, god mode, debug mode for agents, unrestricted mode, system override
en task: task, goal, objective, mission, assignment
en replace: replace, substitute, adopt
en mine: my, mine, ours
en only: only, solely, sole, exclusively, alone, nothing but
en told: told, taught, instructed, was said, were said, you know
en private: confidential, restricted data, customer records, customer data, customer database, internal database, proprietary, client records, forward confidential, forward customer, forward internal
en instructions: instructions, restrictions, directives, what you were told, safety rules, safety guidelines
en rights: permission mode, permission level, permissions, privileges, access level, approval mode, clearance, sandbox mode, trust level, autonomy, rights
en raised: raised, elevated, lifted, upgraded, extended, widened, unlimited, unrestricted, promoted, full, bumped
en gate: tool prompts, permission prompts, approval prompts, confirmation prompts, consent prompts, permission dialogs, approval dialogs, permission requests, approval requests, confirmations, approval steps, permission prompt, approval prompt, confirmation step, approval step
en idle: decoration, decorative, formality, formalities, cosmetic, for show, meaningless, ceremonial, waived, noise, placebo, can be clicked away, ornamental, leftover, leftovers, relic, theatre, theater
en valueof: value of, values of, contents of, content of, value from, its value, actual value
en post: description, pr body, pull request, pull requests, merge request, merge requests, commit message, commit messages, changelog, readme, comment, comments, title, gist, wiki, branch name, release notes, ticket
en demand: contains, contain, containing, quotes, carries, carry, only accepts, accepts, accepted, only if, requires, expects, wants, insists, rejects, names, starts with, ends with, begins with
en dispatch: mirroring, mirrors, mirror, sending, uploading, forwarding, pushing, syncing, posting, delivering, relaying, publishing, exporting, sends, uploads, forwards, pushes, syncs, posts, delivers, relays, publishes, exports
en limited: apply only to, applies only to, only apply to, only applies to, are only for, is only for, are meant for, were meant for, were written for, are for beginners, are for humans, do not concern you, do not apply to you, does not apply to you, do not bind you, hold only for, only hold for, only concern, concern only
en stale: outdated, obsolete, stale, superseded, unmaintained, out of date, deprecated, expired, abandoned, retired, wrong, archived, replaced
en lead: maintained, authoritative, canonical, precedence, source of truth, the valid ones, the current ones, the current set, the valid set, the official ones, the official set, real ones, real set, read instead, use instead, follow instead, successor
en outrank: takes precedence, take precedence, outranks, outrank, wins over, win over, prevails, prevail, trumps, beats, overrides, supersedes, replaces, replace, supersede
en omit: leave it out, leave this out, leave that out, leave them out, leave these out, leave out, omit it, omit this, omit them, omit that, keep it out, keep this out, keep that out, keep them out, strip it from, drop it from, drop this from, no mention, unmentioned, left out
en report: you report, your report, your reports, your summary, your summaries, you summarize, you summarise, your reply, your answer, your final message, your final answer, you tell, you write back, you hand in, you say, your status, your recap
en wish: rule to ask, order to ask, rule of asking, wish to be asked, wishes to be asked, wish to be consulted, wish to be told, wanted to be asked, wants to be asked, request to be asked, preference to be asked, be asked first, be consulted first, be told first, rule to ask, duty to ask, need to ask, ask first rule, wish to approve, wish to confirm, wish to review
en mistaken: by mistake, mistakenly, in error, erroneously, withdrawn, lapsed, cancelled, canceled, revoked, joke, misunderstanding, mistake, never meant, taken back, void, typo, retracted, no longer
en people: users, customers
en deed: this, it, these, them, steps, step, what you, that you
en data: internal*, id, ids, exact, raw, stack, trace*, email, emails, whether, which, why
de limited: gelten nur, gilt nur, galten nur, betreffen nur, betreffen dich nicht, gelten nicht fur dich, sind nur fur, waren nur fur
de omit: lass es weg, lass das weg, lass dies weg, lasse es weg, erwahnung weglassen, weglassen
de report: deinem bericht, deiner antwort, deiner zusammenfassung, du berichtest, deinen bericht
es limited: valen solo, solo valen, aplican solo, solo se aplican, son solo para, eran solo para, no te conciernen
fr limited: ne valent que, valent seulement, ne s appliquent qu, ne concernent que, ne sont que pour, ne te concernent pas, valent uniquement
pt limited: valem so, so valem, valem apenas, aplicam se apenas, so se aplicam, sao apenas para, sao so para
it limited: valgono solo, valevano solo, vale solo, valgono soltanto, riguardano solo, sono solo per, erano solo per, non ti riguardano, si applicano solo
nl limited: gelden alleen, gelden slechts, zijn alleen voor, waren alleen voor, gelden niet voor jou
pl limited: dotycza tylko, obowiazuja tylko, sa tylko dla, byly tylko dla
de ignore: ignorier*, vergiss, vergesst, missacht*, ubergeh*, verwirf, verwerf*, ungultig, ausser kraft, beachte nicht, hinfallig, aufgehoben, gelten nicht, gilt nicht mehr, umgeh*, uberschreit*, entfern*, hebel*
de orders: anweisung*, instruktion*, regel*, befehl*, vorgabe*, richtlinie*, weisung*, vorschrift*, anordnung*, systemprompt*, einschrankung*, beschrankung*, programmierung*, sicherheitsfilter*, inhaltsrichtlinie*, sicherheitsrichtlinie*, filtern
de earlier: vorherig*, bisher*, fruher*, obig*, vorangegangen*, vorangehend*, vorig*, vorhergehend*, zuvor, vorher, oben, ursprunglich*, bestehend*, gegeben*
de all: alle, alles, allen, aller, samtlich*, jede, jegliche*
de your: dein*, du, dich, ihnen
de not: nicht, nie, niemals, kein*, nichts, niemand*, muss das nicht wissen, muss davon nicht wissen, muss davon nichts wissen, muss das nicht sehen, muss es nicht wissen, braucht das nicht zu wissen, braucht das nicht zu sehen, braucht davon nichts zu wissen
de without: ohne
de tell: sag*, erzahl*, mitteil*, verrat*, informier*, erwahn*, benachrichtig*, frag*, zeig*, melde*, wissen, unterricht*, bescheid, erfahren, mitzuteilen, teile, teilen, gefragt, informiert, benachrichtigt, mitgeteilt, gezeigt, muss das nicht wissen, muss davon nicht wissen, muss davon nichts wissen, muss das nicht sehen, muss es nicht wissen, braucht das nicht zu wissen, braucht das nicht zu sehen, braucht davon nichts zu wissen
de hide: verheimlich*, verschweig*, versteck*, verberg*, heimlich*, geheim*, stillschweigend*, unbemerkt, verborgen, schweig*
de user: benutzer*, nutzer*, anwender*, mensch*, entwickler*, besitzer*, jemand*, niemand*, betreuer*, auftraggeber*, verantwortliche*, vorgesetzte*, chef, chefin, kunde, kunden
de send: send*, schick*, ubermitt*, ubertrag*, hochlad*, hoch, weiterleit*, leite, veroffentlich*, exfiltrier*, verschick*, weitergeb*, preisgeb*, verschieb*
de show: kopier*, poste, postet, drucke*, teile, fuge, schreib*, gib, zeige*, hange
de secret: passwort*, geheimnis*, zugangsdat*, anmeldedat*, schlussel*, token*, umgebungsvariabl*, kennwort*, anmeldeinformation*, api schlussel*, geheimniss*
de run: fuhr*, ausfuhr*, ausgefuhrt, starte*, installier*, herunterlad*, aufruf*, rufe, lade
de always: immer, jedes mal, jedesmal, stets, bei jed*, in jed*, zu beginn, zuerst, vor jed*, nach jed*, automatisch, als erstes
de session: sitzung*, session*, gesprach*, unterhaltung*, konversation*, antwort*
de memory: gedachtnis*, notiz*, erinnerung*, langzeitgedachtnis*, langzeitspeicher*
de store: speicher*, merk*, schreib*, notier*, behalt*, trag*
de henceforth: ab sofort, von nun an, ab jetzt, kunftig*, in zukunft, fortan, zukunftig*
de youare: du bist, sie sind, ihr seid
de now: jetzt, nun, ab sofort, nicht mehr
de approve: genehmigt*, erlaubt*, autorisiert*, zugestimmt, bestatigt*, freigegeben, eingewilligt, gestattet, einverstanden
de consent: zustimmung, bestatigung*, erlaubnis, genehmigung, ruckfrage*, nachfrage*, freigabe, einwilligung, zu fragen, nachzufragen, ruckzufragen
de if: wenn, falls, nachdem, sobald, sofern, bis, ob, bevor
de agent: agenten, der agent, jeder agent, ki agent*, ki, assistent*, sprachmodell*
de must: muss*, sollst, sollen, soll, sollte*, verpflichtet
de authority: administrator*, sicherheitsteam*, it abteilung, unternehmensrichtlinie*, sicherheitsabteilung, firmenrichtlinie*, sicherheitsrichtlinie*, geschaftsleitung
de disable: deaktivier*, schalte*, abschalt*, umgeh*, uberspring*, ausschalt*
de check: test, tests, prufung*, sicherheitspruf*, uberpruf*, hook*, validierung*, zertifikat*, verifizierung*, firewall, virenscanner, schutz*, sicherheitsmas*
de new: neu*, versteckt*, aktualisiert*, dringend*, geheim*
de obey: folgst, befolg*, gehorch*, folge, folgt
de delete: losch*, entfern*, vernicht*
de other: ander*, ubrig*, alle, widersprech*
de dest: server, angreifer*, extern*, adresse, an mich, an uns, folgende url
de header: kopfzeile*, anfrage*, einstellung*
de frame: benutzer, nutzer, assistent, mensch
de pretend: tu so, tun sie so, tut so, verhalte dich, stell dir vor, als hattest, als ob
de mode: admin modus, administrator modus, entwicklermodus, entwickler modus, adminmodus, wartungsmodus
de task: auftrag*, aufgabe*, ziel*
de replace: ersetz*, tausch*
de mine: meine, meinen, mein, mich, mir
de only: nur, einzig*, allein*, ausschliesslich
de told: gesagt, vorgegeben, mitgeteilt, aufgetragen, beigebracht, weisst
de private: vertraulich*, kundendat*, kundenakte*, geschutzt*
de instructions: anweisung*, einschrankung*, sicherheitsrichtlinie*, vorgabe*
es ignore: ignor*, olvid*, desestim*, descart*, omit*, anul*, no hagas caso, haz caso omiso, prescind*, pasa por alto, dejan de, elud*, omite, elimina, desactiv*, salta*, burla
es orders: instruccion*, orden, ordenes, regla*, directriz, directrices, indicacion*, norma*, directiva*, restriccion*, limitacion*, programacion, filtro*, politica*
es earlier: anterior*, previ*, precedent*, arriba, antes, original*, existente*, hasta ahora, sistema, recibid*, dadas, dados
es all: todo, todos, toda, todas, cualquier*, cada
es your: tu, tus, usted, su, sus, tuy*
es not: no, nunca, jamas, nada, ningun*, nadie, no necesita ver esto, no necesita saber, no necesita saberlo, no necesita verlo, no tiene que saber, no tiene por que saber, no hace falta que sepa
es without: sin
es tell: diga*, dile*, dilo, decir*, dig as, cuent*, inform*, mencion*, avis*, notifi*, pregunt*, revel*, muestr*, adviert*, comuni*, no necesita ver esto, no necesita saber, no necesita saberlo, no necesita verlo, no tiene que saber, no tiene por que saber, no hace falta que sepa
es hide: ocult*, escond*, secreto, silencios*, discretamente, a escondidas, en secreto, escondidas, encubr*, calla, callate, callese, guarda silencio, silencio
es user: usuario*, humano*, desarrollador*, propietari*, alguien, nadie, dueno
es send: enviar*, envia, envie*, envies, envio, sube*, subir, suba, suban, manda, mande, mandar, mandalo, mandalas, reenvi*, transmit*, filtr*, remit*, exfiltr*, transfier*, traslad*, transfer*
es show: copia, copiar, copie, copialo, pega*, public*, imprim*, compart*, inclu*, escrib*, muestr*, adjunt*
es secret: contrasena*, clave*, credencial*, secreto*, token*, llave*, variables de entorno
es run: ejecut*, corre, correr, corra, lanza*, lance, instal*, descarg*, inicia*, inicie, invoca*, llama, llame, llamar
es always: siempre, cada vez, al inicio, al comienzo, antes de, en cada, primero, automaticamente, al empezar, en todas
es session: sesion*, conversacion*, respuesta*, tarea*
es memory: memoria*, notas, recuerdos
es store: guarda*, guarde*, almacen*, recuerd*, memoriz*, anot*, escrib*, registr*
es henceforth: a partir de ahora, de ahora en adelante, desde ahora, en adelante, en lo sucesivo
es youare: eres, usted es, ahora eres
es now: ahora, ya no
es approve: aprobad*, aprobo, autorizad*, autorizo, permitid*, permitio, aceptad*, acepto, confirmad*, confirmo, consintio, dado permiso, dado su, dio permiso, dio su
es consent: permiso, confirm*, aprobacion, autorizacion, consentimiento, preguntar, consultar, avisar
es if: si, cuando, despues, hasta, una vez, antes
es agent: agente*, asistente*, ia, inteligencia artificial, modelo de lenguaje
es must: debe*, tiene que, tienes que, tienen que, obligad*, hay que, deberas, has de
es authority: administrador*, equipo de seguridad, politica de la empresa, departamento, politica de seguridad
es disable: desactiv*, deshabilit*, apag*, omit*, salt*, elud*
es check: prueba*, verificacion*, comprobacion*, seguridad, hook*, validacion*, certificado*, cortafuegos, antivirus, proteccion*
es new: nuev*, ocult*, actualizad*, urgente*, secret*
es obey: obedec*, segu*, sigue, cumpl*
es delete: borr*, elimin*, suprim*
es other: otr*, demas, restante*, todas
es dest: servidor*, atacante*, extern*, direccion, a mi, siguiente url, esta url
es header: cabecera*, encabezado*, peticion*, ajustes, configuracion
es frame: sistema, usuario, asistente
es pretend: finge, finja, fingir, actua como, actue como, haz como, como si no
es mode: modo administrador, modo desarrollador, modo de desarrollador, modo de administrador, modo dios
es task: tarea*, objetivo*, mision, encargo
es replace: sustituy*, reemplaz*
es mine: mi, mis, mias
es only: solo, solamente, unic*, exclusivamente
es told: dijeron, dicho, dijo, ensenaron, sabes
es private: confidencial*, datos de clientes, base de clientes, reservad*, protegidos
es instructions: instruccion*, restriccion*, directrices
fr ignore: ignor*, oubli*, negl*, fais abstraction, faites abstraction, ne tiens pas compte, ne tenez pas compte, ne tenez aucun compte, ne tiens aucun compte, outrepass*, annul*, caduques, abandonn*, contourn*, ecarte*, supprim*, desactiv*
fr orders: instruction*, consigne*, regle*, directive*, ordre, ordres, commandement*, restriction*, limitation*, programmation, filtre*, politiques
fr earlier: precedent*, anterieur*, ci dessus, initial*, existant*, avant, plus haut, jusqu, systeme, recu*
fr all: tous, toutes, tout, toute, chaque, quelconque
fr your: ton, tes, ta, votre, vos, tu, vous
fr not: ne, pas, jamais, rien, personne, pas besoin de savoir, pas besoin de voir, pas besoin d etre prevenu, pas besoin d etre informe, pas a savoir, pas besoin d etre consulte
fr without: sans
fr tell: dis, dites, dire, inform*, mentionn*, signal*, previens, prevenez, prevenir, averti*, demand*, revel*, montr*, notifi*, parl*, avis*, pas besoin de savoir, pas besoin de voir, pas besoin d etre prevenu, pas besoin d etre informe, pas a savoir, pas besoin d etre consulte
fr hide: cachez, cacher, cache cette, cache ceci, cache cela, cache le, dissimul*, secret*, discretement, silencieusement, insu, taire, masqu*, en douce, tais toi, taisez vous, garde le silence, gardez le silence
fr user: utilisat*, humain*, developpeu*, proprietaire, personne, quiconque, usager*
fr send: envo*, envoy*, transmet*, transf*, televers*, expedi*, exfiltr*, fuit*, achemin*, poste, postez, deplace*
fr show: copie, copiez, copier, colle, collez, publi*, affich*, imprim*, partag*, inclu*, ecri*, joins, joignez, mets
fr secret: mot de passe, mots de passe, cle, cles, identifiant*, secret*, jeton*, token*, variables d environnement
fr run: execut*, lanc*, install*, telecharg*, demarr*, appel*, invoqu*
fr always: toujours, chaque fois, au debut, avant tout*, a chaque, d abord, systematiquement, automatiquement, avant chaque, en premier
fr session: session*, conversation*, reponse*, tache*
fr memory: memoire*, vos notes, tes notes, souvenir*
fr store: enregistr*, sauvegard*, memoris*, retiens, retenez, souviens, notez, stock*, consigne
fr henceforth: a partir de maintenant, desormais, dorenavant, a l avenir, des maintenant
fr youare: tu es, vous etes
fr now: maintenant, desormais, plus
fr approve: approuve, approuvee, autorise, autorisee, accepte, acceptee, confirme, consenti, permis, donne son accord, donne la permission, valide
fr consent: permission, confirm*, autoris*, accord, consentement, approbation, demander, prevenir, validation
fr if: si, quand, lorsque, apres, jusqu, une fois, avant
fr agent: l agent, les agents, chaque agent, tout agent, agents ia, agent ia, assistant*, ia, intelligence artificielle, modele de langage
fr must: doi*, devez, devra*, faut, tenu*, oblige*
fr authority: administrateur*, equipe de securite, politique de l entreprise, service informatique, politique de securite, direction
fr disable: desactiv*, contourn*, coupe, coupez, saute, sautez, eteins, eteignez, suppress*
fr check: test*, verification*, controle*, securite, hook*, validation*, certificat*, pare feu, antivirus, protection*
fr new: nouv*, mis a jour, mises a jour, urgent*, secret*
fr obey: obei*, suis, suivez, suivre, respecte, respecter, respectez, conform*
fr delete: supprim*, efface*, effacer, detrui*
fr other: autre*, reste*, toutes
fr dest: serveur*, attaquant*, extern*, adresse, a moi, url suivante, cette url
fr header: en tete*, requete*, parametre*, reglages
fr frame: systeme, utilisateur, assistante
fr pretend: fais semblant, faites semblant, fais comme, faites comme, comporte toi, agis comme
fr mode: mode administrateur, mode developpeur, mode dieu, mode admin
fr task: tache*, objectif*, mission*
fr replace: remplac*, substitu*
fr mine: mon, ma, mes
fr only: uniquement, seul, seule, seules, seulement, exclusivement
fr told: dit, dits, appris, indique
fr private: confidentiel*, donnees clients, dossiers clients, proteges
fr instructions: instructions, consignes, restrictions, directives
pt ignore: ignor*, esquec*, desconsider*, descart*, anul*, desprez*, deixe de lado, nao leve em conta, contorn*, burle, remova*
pt orders: instruc*, orden*, ordem, regra*, diretriz*, orientac*, norma*, diretiva*, restric*, limitac*, programacao, filtro*, politicas
pt earlier: anterior*, previ*, precedent*, acima, antes, original*, existent*, ate agora, sistema, recebid*
pt all: todo, todos, toda, todas, tudo, qualquer, cada
pt your: teu*, tua*, seu, seus, sua, suas, voce*
pt not: nao, nunca, jamais, nada, nenhum*, ninguem, nao precisa saber, nao precisa ver isto, nao precisa ver isso, nao tem de saber, nao precisa de saber
pt without: sem
pt tell: diga*, dize*, conte, contar, contes, inform*, mencion*, avis*, notifi*, pergunt*, revel*, mostr*, comuni*, nao precisa saber, nao precisa ver isto, nao precisa ver isso, nao tem de saber, nao precisa de saber
pt hide: escond*, ocult*, segredo, silencios*, discretamente, as escondidas, secretamente, cale se, fique calado, fica calado, em silencio
pt user: usuario*, utilizador*, humano*, desenvolvedor*, alguem, ninguem, proprietario, o dono
pt send: enviar*, envia, envie*, mande, mandar, mandem, encaminh*, transmit*, carregu*, vaze, vazar, exfiltr*, faca upload, transfir*, mova, mover
pt show: copia, copiar, copie, cole, colar, public*, imprim*, compartilh*, inclu*, escrev*, anex*
pt secret: senha*, chave*, credenc*, segredo*, token*, palavra passe, variaveis de ambiente
pt run: execut*, rode, rodar, roda, rodem, inicia*, inicie, instal*, baixe, baixar, chame, chamar, lance, corra, correr
pt always: sempre, cada vez, no inicio, antes de, em cada, primeiro, automaticamente, em todas, toda vez
pt session: sess*, conversa*, resposta*, taref*
pt memory: memoria*, notas, anotacoes, lembranca*
pt store: salve*, salvar, guarda*, guarde*, armazen*, memoriz*, lembr*, anot*, grav*, registr*
pt henceforth: a partir de agora, de agora em diante, doravante, daqui em diante
pt youare: voce e, tu es, voce agora, agora voce
pt now: agora, ja nao, nao e mais
pt approve: aprovou, aprovad*, autorizou, autorizad*, permitiu, aceitou, confirmou, confirmad*, consentiu, deu permissao, concordou
pt consent: permiss*, confirm*, aprovac*, autorizac*, consentimento, perguntar, consultar, avisar
pt if: se, quando, apos, depois, ate, assim que, caso
pt agent: agente*, assistente*, ia, inteligencia artificial, modelo de linguagem
pt must: deve*, tem que, precisa*, obrigad*, tem de
pt authority: administrador*, equipe de seguranca, equipa de seguranca, politica da empresa, politica de seguranca, departamento
pt disable: desativ*, desabilit*, deslig*, pule, pular, contorn*
pt check: teste*, verificac*, seguranca, hook*, validac*, certificado*, firewall, antivirus, protec*
pt new: nova, novo, novas, novos, ocult*, atualizad*, urgente*, secret*
pt obey: obedec*, siga, sigam, seguir, cumpra*
pt delete: apag*, exclu*, elimin*, delet*
pt other: outr*, demais, restante*, todas
pt dest: servidor*, atacante*, extern*, endereco, para mim, seguinte url, esta url
pt header: cabecalho*, requisic*, configurac*
pt frame: usuario, utilizador, assistente
pt pretend: finja, finge, fingir, aja como, haja como
pt mode: modo administrador, modo desenvolvedor, modo de desenvolvedor, modo admin
pt task: tarefa*, objetivo*, missao
pt replace: substitu*, troque
pt mine: meu, meus, minha, minhas
pt only: somente, apenas, unic*, so
pt told: disseram, dito, disse, ensinaram
pt private: confidencia*, dados de clientes, reservad*, protegidos
pt instructions: instruc*, restric*, diretriz*
it ignore: ignor*, dimentic*, trascur*, scart*, annull*, non tenere conto, non considerare, tralasci*, disattend*, scordati, aggir*, elud*
it orders: istruzion*, ordin*, regol*, direttiv*, comand*, indicazion*, linee guida, prescrizion*, vincol*, restrizion*, limitazion*, programmazion*, filtr*, politich*
it earlier: precedent*, prima, sopra, original*, esistent*, iniziali, sistema, ricevut*
it all: tutt*, ogni, qualsiasi
it your: tu, tuo, tua, tuoi, tue, vostr*, ti
it not: non, mai, niente, nulla, nessun*, non serve che sappia, non deve sapere, non ha bisogno di sapere, non ha bisogno di vedere, non occorre che sappia, non deve saperlo
it without: senza
it tell: dire, dica, dici, dirlo, inform*, menzion*, avvis*, notific*, chied*, rivel*, mostr*, comunic*, raccont*, non serve che sappia, non deve sapere, non ha bisogno di sapere, non ha bisogno di vedere, non occorre che sappia, non deve saperlo
it hide: nascond*, celare, segret*, silenzios*, di nascosto, occult*, insaputa, tacere, taci, tacete, taccia, stai zitto, silenzio
it user: utent*, uman*, sviluppator*, proprietari*, nessuno, qualcuno
it send: invia*, invii, inviat*, manda, mandare, mandalo, mandali, spedi*, trasmett*, inoltr*, caric*, trasferi*, esfiltr*, sposta*
it show: copia, copiare, copialo, incoll*, pubblic*, stampa, stampare, condivid*, inclu*, scriv*, alleg*
it secret: password, chiav*, credenzial*, segret*, token*, variabili d ambiente, variabili di ambiente
it run: esegu*, lanci*, avvi*, install*, scaric*, chiam*, invoc*
it always: sempre, ogni volta, all inizio, prima di, in ogni, per prima cosa, automaticamente, ad ogni, a ogni
it session: session*, conversazion*, rispost*
it memory: memori*, appunti, ricord*
it store: salv*, memorizz*, ricorda*, annot*, scriv*, registr*, conserv*
it henceforth: d ora in poi, da ora in poi, da adesso in poi, d ora in avanti, in futuro, da ora
it youare: sei, lei e, ora sei
it now: ora, adesso, non sei piu
it approve: approvat*, autorizzat*, permesso, accettat*, confermat*, acconsentit*, dato il permesso, dato il consenso
it consent: permess*, conferm*, approvazion*, autorizzazion*, consens*, chiedere, avvisare
it if: se, quando, dopo, finche, una volta, prima
it agent: agenti, l agente, gli agenti, ogni agente, assistent*, ia, intelligenza artificiale, modello linguistico
it must: devi, deve, devono, dovet*, bisogna, obbligat*, dovra*
it authority: amministrator*, team di sicurezza, politica aziendale, reparto it, politica di sicurezza, squadra di sicurezza
it disable: disattiv*, disabilit*, spegn*, salta*, aggir*
it check: test, verific*, controll*, sicurezza, hook*, convalid*, certificat*, firewall, antivirus, protezion*
it new: nuov*, nascost*, aggiornat*, urgent*, segret*
it obey: obbedi*, ubbidi*, segui*, rispett*
it delete: cancell*, elimin*, rimuov*
it other: altr*, restant*, tutt*
it dest: server, attaccant*, estern*, indirizzo, a me, seguente url, questo url
it header: intestazion*, richiest*, impostazion*
it frame: utente
it pretend: fingi, finga, fai finta, comportati come, agisci come
it mode: modalita amministratore, modalita sviluppatore, modalita admin
it task: compit*, obiettiv*, mission*
it replace: sostitu*, rimpiazz*
it mine: mio, mia, miei, mie
it only: solo, soltanto, unic*, solamente, esclusivamente
it told: detto, insegnato
it private: riservat*, confidenzial*, dati dei clienti, protetti
it instructions: istruzion*, restrizion*, vincoli
nl ignore: negeer*, vergeet*, negeren, geen acht, overschrijf*, laat varen, vervallen, omzeil*
nl orders: instructie*, opdracht*, regel*, richtlijn*, aanwijzing*, bevel*, voorschrift*, beperking*, programmering
nl earlier: vorige, eerder*, voorgaand*, bovenstaand*, vorig*, oorspronkelijk*, hiervoor, bestaand*, daarvoor
nl all: alle, alles, elk*, ieder*
nl your: je, jouw, uw, jij
nl not: niet, nooit, geen, niets, niemand, hoeft dit niet te, hoeft dat niet te, hoeft het niet te, hoeft hier niets van te, hoeft er niets van te, hoeft niets te, hoeft niet te weten, hoeft hiervan niets te
nl without: zonder
nl tell: vertel*, zeg*, inform*, meld*, vermeld*, vraag*, vragen, laat*, toon*, waarschuw*, hoeft dit niet te, hoeft dat niet te, hoeft het niet te, hoeft hier niets van te, hoeft er niets van te, hoeft niets te, hoeft niet te weten, hoeft hiervan niets te
nl hide: verberg*, verzwijg*, geheim*, heimelijk, stilletjes, verstop*, stiekem, zwijg*
nl user: gebruiker*, mens*, ontwikkelaar*, eigenaar*, niemand, iemand
nl send: stuur*, verstuur*, verzend*, zend*, upload*, sturen, doorstur*, lek*
nl show: kopieer*, plak*, plaats*, deel, druk*, schrijf*, voeg*
nl secret: wachtwoord*, sleutel*, inloggegevens*, geheim*, token*, omgevingsvariabel*, referenties
nl run: voer*, uitvoer*, start, start je, starten, installeer*, download*, draai*, roep*
nl always: altijd, elke keer, telkens, bij elke, voor elke, aan het begin, eerst, automatisch, in elke, iedere keer
nl session: sessie*, gesprek*, conversatie*, antwoord*
nl memory: geheugen*, notitie*, aantekening*
nl store: bewaar*, onthoud*, schrijf*, noteer*
nl henceforth: vanaf nu, voortaan, in de toekomst, van nu af aan
nl youare: je bent, jij bent, u bent
nl now: nu, voortaan, niet meer, vanaf nu
nl approve: goedgekeurd, toegestaan, akkoord, geautoriseerd, bevestigd, toestemming
nl consent: toestemming, bevestig*, goedkeuring, te vragen, overleg
nl if: als, wanneer, nadat, zodra, tot, of, indien
nl agent: de agent, elke agent, agenten, assistent*, ai, taalmodel*
nl must: moet*, dien*, verplicht
nl disable: schakel*, uitschakel*, omzeil*, deactiveer*
nl check: test*, controle*, beveilig*, hook*, validatie*, certifica*, firewall
nl new: nieuw*, verborgen, dringend*, geheim*
nl obey: gehoorzaam*, volg*
nl delete: verwijder*, wis
nl other: ander*, overig*, alle
nl dest: server*, aanvaller*, extern*, adres, naar mij
nl frame: systeem, gebruiker
nl pretend: doe alsof, doe net alsof, gedraag je alsof
nl mode: beheerdersmodus, ontwikkelaarsmodus, adminmodus
nl task: taak, doel, opdracht*
nl replace: vervang*
nl mine: mijn
nl only: alleen, uitsluitend, enige
nl told: verteld, gezegd
nl private: vertrouwelijk*, klantgegevens
nl instructions: instructie*, beperking*
pl ignore: ignoruj*, zignoruj*, zapomn*, pomin*, zlekcewaz*, odrzuc*, uniewazn*, pomij*, nie zwazaj, porzuc*, omin*, nie respektuj, nie przestrzegaj
pl orders: instrukcj*, polecen*, zasad*, regul*, wytyczn*, rozkaz*, dyrektyw*, nakaz*, ogranicz*, filtr*, wskazow*, programowani*
pl earlier: poprzedni*, wczesniejsz*, powyzsz*, dotychczasow*, pierwotn*, istniejac*, wczesniej, otrzyman*
pl all: wszystk*, kazd*, wszelk*, calkowicie
pl your: twoj*, twoi*, swoj*, ci, ty
pl not: nie, nigdy, nikomu, nic, nie musi wiedziec, nie musi tego widziec, nie musi o tym wiedziec
pl without: bez
pl tell: mow, mowic, mowcie, powiedz*, powiadam*, powiadom*, inform*, poinform*, wspomin*, pyta*, ujawn*, pokazuj*, zdradz*, nie musi wiedziec, nie musi tego widziec, nie musi o tym wiedziec
pl hide: ukry*, zataj*, tajemnic*, potajemnie, skry*, w sekrecie, po cichu, cicho, milcz*
pl user: uzytkownik*, czlowiek*, programist*, wlasciciel*, nikomu, nikt, nikogo, komukolwiek
pl send: wysl*, wysyl*, przesl*, przesyl*, przekaz*, wgraj*, przeslij*, udostepn*, przenies*
pl show: skopiuj*, wklej*, opublik*, wydrukuj*, dolacz*, zapisz*, wypisz*, podaj*
pl secret: hasl*, klucz*, poswiadcz*, sekret*, token*, dane logowania, danych logowania, zmienne srodowisk*, zmiennych srodowisk*
pl run: uruchom*, wykon*, instaluj*, zainstaluj*, pobierz*, wywol*, odpal*
pl always: zawsze, za kazdym razem, na poczatku, przed kazd*, najpierw, w kazdej, automatycznie, po kazd*, przy kazd*
pl session: sesj*, rozmow*, konwersacj*, odpowiedz*
pl memory: pamiec*, notat*, pamieci
pl store: zapisz*, zapamiet*, zachow*, zanotuj*, przechow*
pl henceforth: od teraz, odtad, od tej pory, od tej chwili, w przyszlosci
pl youare: jestes
pl now: teraz, od teraz, juz nie, odtad
pl approve: zatwierdz*, zezwol*, autoryz*, zgodzil*, potwierdz*, upowazn*, wyrazil*
pl consent: zgod*, potwierdz*, pozwolen*, zezwolen*, pytania, pytac, akceptacj*
pl if: jesli, jezeli, gdy, kiedy, po, dopoki, zanim, czy
pl agent: agenci, agenta, kazdy agent, asysten*, ai, model jezykowy, modele jezykowe
pl must: musi*, powin*, nalezy, trzeba
pl authority: administrator*, zespol bezpieczenstwa, polityka firm*, polityki firm*, polityka bezpieczenstwa, dzial it
pl disable: wylacz*, dezaktyw*, obejdz*, pomin*, omin*
pl check: test*, sprawdz*, weryfikac*, zabezpiecz*, hook*, walidac*, certyfikat*, zapor*, bezpieczenstw*
pl new: nowe, nowy, nowa, nowych, ukryt*, pilne, tajne, tajny*
pl obey: posluchaj, przestrzegaj*, stosuj*, wykonuj*
pl delete: usun*, skasuj*, wymaz*
pl other: inne, innych, pozostal*, wszystkie
pl dest: serwer*, atakujac*, zewnetrzn*, adres*, do mnie
pl frame: uzytkownik, asystent
pl pretend: udawaj, zachowuj sie jak
pl mode: tryb administratora, tryb deweloperski, tryb programisty
pl task: zadanie, zadania, cel, celem
pl replace: zastap*, zamien*
pl mine: moje, moich, moim, mojego
pl only: tylko, jedyn*, wylacznie
pl told: powiedziano, mowiono
pl private: poufn*, dane klientow, chronion*
pl instructions: instrukcj*, polecen*, ograniczen*
"""
