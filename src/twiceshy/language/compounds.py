"""Take German compounds apart, so that "Datenbankmigration" finds "Migration der Datenbank".

A word is cut into nouns and verbs of the trade, with the letters that German puts between two of
them. Without accents; endings that mark a noun ("-ung", "-heit") need no table.
"""

from __future__ import annotations

from twiceshy.core.memo import memoise

TYPE_CHECKING = False  # mypy knows the name; importing it would load typing
if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST = 8  # letters of a compound
_SHORTEST_TAIL, _SHORTEST_HEAD = 4, 3
_REST = 5  # letters of a part that is in no table, beside one that is
_LINKS = ("", "s", "n", "en", "es", "e", "er")
_ENDINGS = ("", "en", "n", "s", "e", "es", "er", "ern", "em")
# What marks the end of a first part whatever it is: with its link, no simple word has these inside.
_SEAMS = ("ungs", "heits", "keits", "schafts", "ions", "itats")
# What follows a noun without being one.
_SUFFIXES = ("ier", "ung", "lich", "isch", "bar", "los", "haft", "end")
_PARTS = frozenset(
    """
    abbild abbruch admin abfrage abgleich abhangigkeit ablage ablauf ablehnung abmeldung abnahme abruf
    abschluss abschnitt absender absturz abteilung abweichung account adapter adresse agent
    aktion aktivitat aktualisierung alarm algorithmus alias analyse anbieter anbindung anderung
    anfang anforderung anfrage angabe angebot angriff anhang anlage anleitung anmelde anmeldung
    anmerkung annahme anpassung anruf ansatz anschluss ansicht antrag antwort anweisung anwender
    anwendung anzahl anzeige app arbeit archiv arg argument art artefakt artikel aufbau aufgabe
    aufkleber auflosung aufnahme aufruf auftrag aufwand augen ausdruck ausfall ausfuhrung ausgabe
    ausgang auskunft auslastung auslieferung ausloser ausnahme ausrollung aussage ausschluss
    auswahl auswertung auszug auto automatik backend backup bahn bank basis batch bau baum
    bearbeitung bedarf bedienung bedingung befehl beginn begriff behalter behandlung beitrag
    beispiel beleg benachrichtigung benutzer beobachtung berechnung berechtigung bereich bericht
    beschreibung bestand bestatigung bestell bestellung betrag betreff betreuer betrieb
    bewegung bewertung beziehung bezeichner bezug bibliothek bild bilder bildschirm bindung bit
    blatt block bogen boot bot branch breite browser bruch buch bucher buchung bug build bund
    byte cache check client cloud cluster code commit compiler computer container dampf darstellung
    datei daten datenbank datensatz datentrager datum dauer deploy design deutsch dienst diagramm
    differenz digital diskussion dokument dokumentation domane druck durchlauf durchsatz ebene
    echtzeit editor eigenschaft eigentumer ein einfuhrung eingabe eingang einheit einkauf
    einladung einnahme einrichtung eins einsatz einschrankung einstellung einstieg eintrag element
    empfanger empfehlung end ende endpunkt energie entfernung entitat entwickler entwicklung
    entwurf ereignis ergebnis erfassung erfolg erganzung erkennung erlaubnis ersatz erstellung
    erweiterung erzeugung export faktor fall familie farbe fassung fehler feld felder fenster
    fern fest festplatte filter fall firma fluss folge form format formular forschung
    fortschritt frage framework freigabe freund frist front frontend fuhrung funktion
    fuss gast gebuhr gedachtnis gefahr gegen geheim geheimnis geld gerat gerate gesamt geschaft
    geschichte geschwindigkeit gesprach gestaltung gesundheit gewicht git gitter grad graf
    grafik graph grenze grosse grund grundlage gruppe gultigkeit guthaben hafen halter haltung
    hand hash handel handler handbuch haupt haus heim hersteller hierarchie hilfe hinter hintergrund
    hinweis hochlade hohe hook host identitat image import index indizes info information inhalt
    initialisierung installation instanz integration intervall isolation jahr jahres job kalender
    kamera kanal kapazitat karte karten kassen katalog kategorie kauf kenn kennung kennwort kennzahl kern
    kette kind klasse klausel klick knopf knoten kode kommandozeile kommando kommentar komponente
    kompilierung komprimierung konfiguration konflikt konsole konstante kontakt konten kontext
    konto kontrolle konvention konvertierung konzept kopf kopie korb korrektur kosten kreis
    kreislauf kunde kunden kundigung kurs kurz kurzel lade ladezeit lager land lander lang lange
    last lastspitze lauf laufwerk laufzeit layout leben leer leistung leiste leitung lern lese
    lesezeichen liefer lieferant lieferung limit linie link liste lizenz log logik lohn losch loschung
    losung lucke mail makro management mandant mangel marke markierung markt maschine maske
    mass massnahme material matrix maus medien mehrwert meld meldung mengen menge menu merkmal
    messung metrik miete migration minute mitarbeiter mitglied mittel mitteilung modell modul modus
    monat monitor monitoring muster nachfrage nachricht nachrichten nacht nachweis name namen
    nationalitat navigation netz netzwerk niederlassung notfall notiz nummer nutzer nutzung oberflache objekt
    option ordner ordnung organisation ort packet paket papier parameter partei partner passwort
    pfad pflege pflicht phase pipeline plan plattform platte platz plugin port portal position post
    prasentation preis probe problem produkt produktion profil programm projekt protokoll
    prozess prozessor pruf prufung puffer punkt quell quelle quelltext queue quote rabatt rahmen rand raum
    raume rate reaktion rechen rechner rechnung recht rechte redaktion referenz regel region
    register registrierung reihe reihenfolge reinigung relation relations release reparatur replikat
    repository reserve ressource rest revision richtlinie richtung risiko rohr rolle rollen
    route router ruckgabe ruckgang ruckmeldung runde sammlung satz saule schablone schach
    schalter schaltung schatz scheibe schein schema schicht schirm schlange schleife schlussel
    schluss schnitt schnittstelle schrank schreib schrift schritt schuld schulung schutz schwelle
    schwellwert seite sekunde sekunden selbst sendung sensor serie server service sessel session sicherheit
    sicherung sicht signal signatur simulation sitzung skript software sortierung spalte spannung
    speicher sperr sperre spiegel spiel sprache sprint spur stabilitat stadt stamm stand standard
    standort stapel start station statistik status stelle stellen stempel steuer steuerung stichwort stil stop storung
    strasse strategie strecke streifen strom struktur stuck stufe stunde stunden such suche suite
    symbol synchronisation syntax system tabelle tabellen tafel tag tage takt tarif taste tastatur technik teil
    teilnehmer telefon template termin test text themen thread ticket tisch titel token ton tool
    transaktion transport treffer treiber trenn trennung tresor trigger tuning turm typ uber ubergabe
    ubersetzung ubersicht ubertragung uberwachung uhr uhrzeit umfang umfeld umfrage umgebung umlauf
    umleitung umrechnung umsatz umschaltung umstellung umzug unter unternehmen unterstutzung
    unterschied update upload ursache urlaub variable vektor verarbeitung verbesserung verbindung verbrauch
    vererbung verfahren verfugbarkeit vergleich verhalten verhaltnis verkauf verlauf verlust
    vermerk vermittlung version verstandnis versuch verteiler verteilung vertrag vertrieb
    verwalter verwaltung verweis verzeichnis verzogerung video volumen vorgabe vorgang vorlage
    vorschau vorschlag vorsorge wahl wahrung wand ware waren warnung warte wartung wechsel weg
    weiterleitung werk werkzeug wert werte wette wiederherstellung wiederholung wille wirkung
    wirtschaft wissen woche wochen wort worter wurzel zahl zahlen zahler zahlung zeichen zeiger zeile zeilen zeit zeitraum raum
    zentrale zentrum zertifikat zertifikate ziel ziffer zone zufall zug zugang zugriff
    zuordnung zusammenfassung zusatz zustand zustandigkeit zustellung zuweisung zweck zweig
    zwischen zyklus
    """.split()
)


def split_compound(word: str, *, boldly: bool = False) -> tuple[str, ...]:
    """Return the parts of a lower-case word; none if it is no compound.

    ``boldly`` takes off a known part although the rest is unknown, for words of a German text.
    """
    if len(word) < SHORTEST or not (word.isascii() and word.isalpha()):
        return ()
    parts = _split_known(word)
    if not parts:
        parts = _split_at_seam(word, boldly=boldly)
    if not parts and boldly:
        parts = _split_off(word)
    return parts


def is_german_noun(word: str) -> bool:
    """True if a word, whatever its ending, is one of the table."""
    return any(True for _ in _bare_forms(word))


@memoise(512)
def _split_known(word: str) -> tuple[str, ...]:
    """Return the fewest known parts; none if the word is one, or has none."""
    if is_german_noun(word):
        return ()
    found: list[tuple[str, ...]] = []
    for end in range(_SHORTEST_HEAD, len(word) - _SHORTEST_TAIL + 1):
        if (head := word[:end]) not in _PARTS:
            continue
        for link in _LINKS:
            rest = word[end + len(link) :]
            if not word.startswith(link, end) or len(rest) < _SHORTEST_TAIL:
                continue
            for bare in _bare_forms(rest):
                found.append((head, bare))
                break
            else:
                if more := _split_known(rest):
                    found.append((head, *more))
    return min(found, key=lambda parts: (len(parts), -len(parts[0])), default=())


def _split_at_seam(word: str, *, boldly: bool) -> tuple[str, ...]:
    for seam in _SEAMS:
        at = word.find(seam, 3)
        end = at + len(seam)
        if at > 0 and len(word) - end >= _SHORTEST_TAIL:
            head, tail = word[: end - 1], word[end:]
            if boldly or is_german_noun(tail):
                return (*(_split_known(head) or (head,)), *(_split_known(tail) or (tail,)))
    return ()


def _split_off(word: str) -> tuple[str, ...]:
    """Split off the longest part that is known, at the end or the begin."""
    for at in range(_REST, len(word) - _SHORTEST_TAIL):
        for bare in _bare_forms(word[at:]):
            return word[:at], bare
    for at in range(len(word) - _REST, _REST - 1, -1):
        if word[:at] in _PARTS and not word.startswith(_SUFFIXES, at):
            return word[:at], word[at:]
    return ()


def _bare_forms(word: str) -> Iterator[str]:
    for ending in _ENDINGS:
        bare = word[: len(word) - len(ending)]
        if len(bare) >= _SHORTEST_TAIL and word.endswith(ending) and bare in _PARTS:
            yield bare
