"""German."""

from __future__ import annotations

from ..language import Language

_IRREGULAR = """
bin - ist/is sein war war gewesen sind
habe/hab - hat haben hatte hatte gehabt haben
werde - wird werden wurde wurde geworden werden
heiße/heiss/heiß/heisse - heißt/heisst heißen hieß hieß geheißen heißen
wohne wohn wohnt wohnen wohnte wohnte gewohnt wohnen
lebe leb lebt leben lebte lebte gelebt leben
ziehe zieh zieht ziehen/umziehen zog zog gezogen/umgezogen ziehen
arbeite arbeit arbeitet arbeiten arbeitete arbeitete gearbeitet arbeiten
studiere studier studiert studieren studierte studierte studiert studieren
spreche sprech spricht sprechen sprach sprach gesprochen sprechen
rede red redet reden redete redete geredet reden
esse ess isst/ißt essen aß aß gegessen essen
ernähre ernähr ernährt ernähren ernährte ernährte ernährt ernähren
mag - mag mögen mochte mochte gemocht mögen
liebe lieb liebt lieben liebte liebte geliebt lieben
hasse hass hasst hassen hasste hasste gehasst hassen
verabscheue - verabscheut verabscheuen verabscheute verabscheute verabscheut verabscheuen
vertrage vertrag verträgt vertragen vertrug vertrug vertragen vertragen
nutze nutz nutzt nutzen nutzte nutzte genutzt nutzen
benutze benutz benutzt benutzen benutzte benutzte benutzt benutzen
verwende verwend verwendet verwenden verwendete verwendete verwendet verwenden
setze setz setzt setzen setzte setzte gesetzt setzen
spiele spiel spielt spielen spielte spielte gespielt spielen
sammle sammel sammelt sammeln sammelte sammelte gesammelt sammeln
gehe geh geht gehen ging ging gegangen gehen
fahre fahr fährt fahren fuhr fuhr gefahren fahren
komme komm kommt kommen kam kam gekommen kommen
stamme stamm stammt stammen stammte stammte gestammt stammen
kann - kann können konnte konnte gekonnt können
leite leit leitet leiten leitete leitete geleitet leiten
besitze besitz besitzt besitzen besaß besaß besessen besitzen
halte halt hält halten hielt hielt gehalten halten
deploye deploy deployt deployen deployte deployte deployt deployen
hoste host hostet hosten hostete hostete gehostet hosten
verwalte verwalt verwaltet verwalten verwaltete verwaltete verwaltet verwalten
laufe lauf läuft laufen lief lief gelaufen laufen
trinke trink trinkt trinken trank trank getrunken trinken
lerne lern lernt lernen lernte lernte gelernt lernen
trage trag trägt tragen trug trug getragen tragen
lese les liest lesen las las gelesen lesen
schreibe schreib schreibt schreiben schrieb schrieb geschrieben schreiben
male mal malt malen malte malte gemalt malen
mache mach macht machen machte machte gemacht machen
jobbe jobb jobbt jobben jobbte jobbte gejobbt jobben
sitze sitz sitzt sitzen saß saß gesessen sitzen
"""

LANGUAGE = Language(
    code="de",
    words="""
        pronomen, allergien, mail, handynummer, nummer, telefonnummer, telefon, handy, zeitzone, geburtstag,
        alter, datenbank, niemand, alle, jeder, paketmanager, lizenz, lautet, lieblingsgetränk,
        ich, mein, meine, meinen, meinem, meiner, unser, unsere, unseren, unserem, wir, bin, ist, sind, war, habe,
        hab, hat, haben, in, im, an, am, der, die, das, ein, eine, einen, einem, einer, und, nicht, kein, keine,
        bei, beim, nach, aus, als, mit, für, von, vom, auf, zu, zum, zur, gegen, mich, mir, nur, jahre, alt, gern,
        gerne, wohne, arbeite, heiße, name, unter, über, läuft, allergisch, wohnort, zuhause, geboren, nenn, nennt""",
    me="ich",
    group="wir",
    my="mein, meine, meinen, meinem, meiner, meines, unser, unsere, unseren, unserem",
    bare="mama, papa, oma, opa, mutti",
    fillers="""bitte, jetz,
        jetzt, nun, aktuell, derzeit, momentan, zurzeit, gerade, grad, noch, immer noch, auch, schon, bereits,
        inzwischen, mittlerweile, eigentlich, wirklich, hauptsächlich, vor allem, meistens, normalerweise, übrigens,
        ja, halt, eben, doch, endlich, neuerdings, seit kurzem, seit neuestem, nämlich, hier, persönlich, privat,
        beruflich, offiziell, fest, sehr, total, echt, richtig, ziemlich, super, so, ganz, überhaupt, besonders,
        wieder, dort, da, allein, alleine, zusammen, gemeinsam, gern, gerne, am liebsten, fließend, gut, sehr gut,
        perfekt, ein bisschen, etwas, ein wenig, bisschen, leider, glücklicherweise, zum glück, tatsächlich,
        durchgehend, von klein auf, seitdem, seither, mal, aber, frisch, ganz neu, heute, außerdem, alles, nach wie vor,
        weiterhin, im moment, zur zeit, heutzutage, jetzt auch, dauerhaft, von beruf, sogar, voll, unterwegs""",
    marks={
        "not": "nicht, nie wieder, kein, keine, keinen, gar nicht, überhaupt nicht",
        "never": "nie, niemals, noch nie",
        "ended": "nicht mehr, nicht länger, kein mehr",
        "used": "früher, damals, einst, ehemals, bis vor kurzem, vor jahren",
        "planned": "werde, wird, werden, bald, demnächst",
        "wish": """
            möchte, möchten, will, wollen, wollte, würde, würden, könnte, könnten, sollte, sollten, soll, müsste, muss,
            müssen, kann, können, darf, dürfte, hoffe, wünsche, wäre, hätte, würde gern, würde gerne, versuche,
            überlege, plane, träume""",
        "doubt": """
            vielleicht, wahrscheinlich, möglicherweise, eventuell, fast, beinahe, beinah, angeblich, womöglich,
            vermutlich, manchmal, ab und zu, gelegentlich, kaum, quasi, sozusagen, theoretisch, vorübergehend, noch
            nicht, halb""",
        "perfect": "habe, hab, hat, haben, bin, ist, sind",
        "pastperfect": "hatte, hatten, war, waren",
        "since": "schon immer, mein ganzes leben, seit jeher, mein leben lang",
        "only": "nur, ausschließlich, bloß, lediglich",
    },
    openers="""
        letztes jahr, letzten monat, letzte woche, letzten sommer, vor kurzem, gestern, vorgestern, seit neujahr,
        seit gestern, seit heute, hallo, hi, hey, moin, servus, grüß dich, guten morgen, guten tag, guten abend, ja,
        nein, nee, ok, okay, gut, also, und, aber, außerdem, übrigens, ach, ach ja, ach so, achso, nun, naja, na ja,
        tja, stimmt, genau, klar, danke, sorry, entschuldigung, tschuldigung, korrektur, kleine korrektur, update,
        kurzes update, info, kurze info, zur info, zur information, hinweis, notiz, nur zur info, bitte merken, merk
        dir, merke dir, merk dir bitte, bitte merk dir, merk dir dass, notier dir, vergiss nicht, denk dran, ps,
        fyi, btw, jetzt, aktuell, derzeit, momentan, zurzeit, zur zeit, heute, heutzutage, inzwischen, mittlerweile,
        neuerdings, seit kurzem, endlich, ehrlich gesagt, ehrlich, tatsächlich, eigentlich, im moment, zum glück,
        leider, glücklicherweise, natürlich, selbstverständlich, persönlich, ich persönlich, privat, beruflich,
        zuhause, zu hause, daheim, bei uns, bei mir, in meinem fall, was mich betrifft, im projekt, in unserem
        projekt, in diesem projekt, weil, da, denn, obwohl, während, deshalb, deswegen, daher, dann, erstens,
        zweitens, kurz, kurz gesagt, kurze frage, kurze frage vorweg, eine frage, noch was, noch eine sache, wie
        gesagt, wie du weißt, du weißt ja, weißt du, nur damit du es weißt, damit du es weißt, damit du bescheid
        weißt, zu mir, kurz zu mir, über mich, ich stelle mich vor, darf ich mich vorstellen, ursprünglich, von
        beruf, in meiner freizeit, am wochenende, an den wochenenden, gute nachrichten, neuigkeiten, wenn du es
        wissen willst, falls es hilft, falls du es wissen willst, nebenbei, seitdem, seither, früher, genauer
        gesagt, so, hm, äh, ähm, juhu, yeah, haha, und zwar, ab jetzt, ab sofort, alles in allem, im grunde,
        grundsätzlich, stack, unser stack, seit neuestem, beim projekt""",
    conjunctions="und, aber, doch, denn, sondern, weil, da, obwohl, während, sowie",
    resets="aber, sondern, jedoch, jetzt",
    strangers="er, sie, sein, seine, seinen, seinem, ihr, ihre, ihren, ihrem, ihm, ihn",
    during="seit",
    joiners="und, oder, sowie, &",
    articles="ein, eine, einen, einem, einer, eines, ne, nen, nem, 'ne, 'nen, der, die, das, den, dem, des, im, am",
    stops="""
        aber, denn, weil, da, dass, ob, wo, wer, was, wie, wenn, falls, als, während, obwohl, bis, seit, nachdem,
        bevor, gestern, heute, morgen, vorgestern, übermorgen, damals, früher, jetzt, nun, aktuell, derzeit,
        momentan, zurzeit, bitte, danke, dann, sondern, außer, statt, anstatt, lol, haha, hahaha, btw, übrigens,
        eigentlich, leider, mittlerweile, inzwischen, auch, schon, noch, nicht, mehr, nicht mehr, wieder, seitdem,
        und ich, und mein, und meine, und wir, und bin, und habe, und hab, und wohne, und arbeite, oder so, oder
        was, wegen, mit, ohne, für, gegen, zum, zur, letztes jahr, letzten monat, letzte woche, nächstes jahr,
        nächsten monat, nächste woche, dieses jahr, diesen monat, diese woche, am liebsten, sehr, total, echt, vor
        allem, besonders, ist, war, sind, bin, habe, hat, haben, wird, würde, nämlich, halt, eben, ja, gezogen,
        umgezogen, zuhause, nie, so, gar, überhaupt, ziemlich, jeden, jede, immer, zu, über, unter, in, im, am, an,
        auf, bei, aus, von, vom, nach""",
    empties="""weder,
        es, das, dies, dieses, diese, dieser, ihn, sie, ihr, er, du, dich, dir, dein, deine, deinen, euch, euer,
        uns, mich, mir, etwas, nichts, alles, jemand, niemand, man, wer, was, wie, wo, wann, warum, welche, dass,
        ob, nicht, kein, keine, keinen, ja, nein, so, zu, sehr, mehr, weniger, hier, dort, da, nur, auch, ich, wir,
        mein, meine, und, oder, aber, in, im, an, am, auf, aus, bei, mit, von, vom, nach, zu, zum, zur, für, ohne,
        gegen, über, unter, vor, nämlich, gerade, noch, schon, einfach, gern, gerne, bitte, danke, sorry, viel,
        viele, wenig, sein, ihre, lust, zeit, recht, angst, hunger, durst, bock, ahnung, frage, fragen, problem,
        probleme, idee, gefühl, davon, darauf, dran, dafür, spaß, glück, pech""",
    connectors="""
        von, van, der, den, dem, am, an, im, in der, auf, ob, bei, zu, zum, zur, und, &, de, la, of, the, für, vor,
        unter, gmbh, ag""",
    followers="""
        und, oder, mit, bei, in, im, an, am, auf, aus, nahe, nähe, nicht, nur, wo, allein, alleine, zusammen,
        gemeinsam, zu, zum, zur, zuhause, daheim, unterwegs, gezogen, umgezogen, als, für, von, um, ab, seit,
        direkt, gleich, sondern, aber, wegen, maschinenbau, jetzt, studiert, gewohnt, gelebt, gearbeitet, gekündigt,
        angefangen, umgestellt, gewechselt, deployt, genutzt, gut, fließend, gern, gerne, lieber, sehr, total, da,
        noch, alles, schon, ohne, über, unter, sowie, vor, statt, halt, an, geworden, aufgewachsen, geboren,
        sprechen, spreche, wohne, wohnen, lebe, arbeite, arbeiten, los, drin, her, geht, läuft""",
    blocks="""
        wenn, falls, als ob, als wenn, angenommen, nehmen wir an, nehmen wir mal an, nimm an, gesetzt den fall,
        stell dir vor, stellt euch vor, stellen wir uns vor, sagen wir, sagen wir mal, mal angenommen, hypothetisch,
        theoretisch, wäre, hätte, würde, könnte, sollte, sofern, solange, es sei denn, sobald, im traum, ich habe
        geträumt, ich träumte, geträumt, im spiel, im roman, in meinem roman, in meinem krimi, im film, im stück, in
        der geschichte, in der rolle, in der serie, im buch, zum beispiel, z.b, beispiel, beispielsweise, übersetze,
        übersetz, übersetz mal, wie sagt man, korrigiere, korrigier, formuliere, schreib eine, schreib einen,
        schreib mir eine, schreib mir einen, schreibe eine, schreibe einen, fasse, der satz, den satz, die zeile,
        laut, sagt, sagte, sagt dass, sagen, meint, meinte, meinen, glaubt, glauben, dachte, denkt, behauptet,
        behauptete, erzählt, erzählte, hat gesagt, haben gesagt, hab gesagt, habe gesagt, gesagt dass, gesagt,
        gehört dass, habe gehört, hab gehört, gerüchte, gerüchten zufolge, angeblich, anscheinend, es heißt, steht,
        stand, schreibt, schrieb, geschrieben, gelogen, sag nie, sag nicht, sag, sagt nie, du solltest, du könntest,
        du musst, du kannst, man sollte, man muss, tipp, antworte, antworte wie, tu so, tu so als, tun wir so, du
        bist, du spielst, du wärst, spiel, lass uns, fast, beinahe, beinah, um ein haar, kurz davor, nicht dass,
        nicht weil, es ist nicht so dass, niemand, keiner, kein mensch, wer, was, wann, wo, wie, warum, wieso,
        welche, welcher, welches, ob, ich frage mich ob, weiß nicht ob, vielleicht, eventuell, womöglich,
        möglicherweise, kann sein, kann sein dass, könnte sein, als kind, als ich, damals als, in meiner jugend,
        liedtext, songtext, ich hab geträumt, der typ, die leute, leute, man, jemand, dass, hauptfigur, kapitel,
        bevor, schön wärs, ohne, statt""",
    voids="""scherz, nur spaß, war nur spaß, war ein scherz, ironie, sarkasmus, schön wär's, schön wärs, wie das
        sprichwort sagt, sprichwort, figur, hauptfigur, protagonist, protagonistin, erzähler, fiktiv, kapitel,
        drehbuch, monolog, rollenspiel, hypothetisch, theoretisch, liedtext, songtext, in meinen träumen, testdaten,
        geträumt, das stimmt nicht, stimmt nicht, gelogen, von wegen, influencerin, influencer""",
    jokes="""
        nur spaß, war ein scherz, kleiner scherz, scherz, nur ein scherz, war ein witz, nur ein witz, war nur spaß,
        quatsch, nein quatsch, ich scherze, veräppel dich nur""",
    scenes="""
        rollenspiel, lass uns ein rollenspiel, spielen wir, lass uns spielen, lass uns üben, üben wir, ich übe,
        probe, proben wir, lass uns proben, tun wir so, tu so, tu so als, stell dir vor, nehmen wir an, angenommen,
        du bist, du spielst, du wärst, ich spiele den, ich spiele die rolle, ich spiele einen, und ich spiele,
        schreib eine geschichte, schreibe eine geschichte, schreib mir eine geschichte, schreib ein gedicht, schreib
        mir ein gedicht, schreib einen dialog, schreib eine szene, schreib mir eine szene, erzähl mir eine
        geschichte, erzähl eine geschichte, es war einmal, übersetze, übersetz, übersetz mir, korrigiere, korrigier,
        korrektur lesen, formuliere um, formulier, beispieltext, beispieldialog, testdaten, transkript, kapitel,
        drehbuch, monolog, liedtext, songtext, meine rede, der brief beginnt, generalprobe, im spiel,
        bewerbungsgespräch üben""",
    tails="""
        scherz, nur spaß, kleiner scherz, glaube ich, glaub ich, denke ich, denk ich, vermute ich, oder so, sagt er,
        sagt sie, sagt man, sagt mein, sagt meine, meint er, meint sie, wenn, falls, laut, angeblich, vielleicht,
        eventuell, irgendwann, eines tages, hoffentlich, manchmal, ab und zu, zu besuch, im urlaub, auf urlaub, auf
        besuch, auf dienstreise, für ein paar tage, für eine woche, für zwei wochen, für ein wochenende, übers
        wochenende, am wochenende, diese woche, bis sonntag, vorübergehend, im spiel, im film, im traum, stimmt
        nicht, von wegen""",
    courtesies="""
        falls es hilft, wenn du es wissen willst, falls du es wissen willst, falls es wichtig ist, wenn es hilft,
        wenn ich mich recht erinnere, wenn du so willst""",
    scopes="""
        nur, bloß, lediglich, ausschließlich, einfach, gut, sehr, viel, besonders, so, immer, oft, ganz,
        perfekt, fließend, gern, gerne, allein, alleine, zusammen, gemeinsam, richtig, wirklich, unbedingt,
        genau, direkt, täglich, allzu, ständig, dauerhaft, hauptsächlich, vor allem, jeden, freiwillig,
        schlecht, zu viel, zu gut""",
    parts="""
        nahe, nähe, umgebung, zentrum, mitte, stadtrand, altstadt, innenstadt, norden, süden, osten, westen,
        herzen, rand, mitten, direkt, selbst""",
    reasons="""
        wegen, weil, aus, mit, ohne, zum, für, um, seit, durch, denn""",
    takebacks="""
        stimmt nicht, das stimmt nicht, gelogen, das war gelogen, früher, damals, bis vor kurzem, in meinen
        träumen, nicht, fast, beinahe, beinah, na ja, schön wär's, schön wärs, schön wär es, von wegen, nicht
        wirklich, nicht ganz, nicht mehr, noch nicht, quasi, ach nein, nein, nee, eben nicht, oder auch nicht,
        oder nicht, wär schön, gar nicht, überhaupt nicht, nie, so ungefähr, irgendwann, denkste, leider nicht,
        wohl kaum""",
    asks="""was, wer, wann, wo, wie, warum, wieso, welche, welcher, welches, welchen, kann, kannst, könntest, hast,
        habt, gibt, ist, sind, lohnt, lohnt sich, weißt, kennst, soll, sollte, darf, muss, brauche, brauch,
        brauchen, hat, geht, würdest, wäre, habe, hab, irgendwelche, tipps, ideen, bin, passt""",
    speech="""
        sagt, sagte, meint, meinte, glaubt, denkt, behauptet, erzählt, erzählte, schreibt, schrieb, fragt, fragte,
        singt, liest, ruft, antwortet, heißt es, stand, steht""",
    drops_subject=True,
    verb_second=True,
    nouns_are_capital=True,
    reflexive=("mich", "sich"),
    columns=("present1", "short1", "present3", "inf", "past1", "past3", "part", "presentp"),
    verbs=_IRREGULAR,
    regular=(
        ("iere", ("iere", "ier", "iert", "ieren", "ierte", "ierte", "iert", "ieren")),
        ("te", ("te", "t", "tet", "ten", "tete", "tete", "ge~tet", "ten")),
        ("e", ("e", "", "t", "en", "te", "te", "ge~t", "en")),
        ("", ("e", "", "t", "en", "te", "te", "ge~t", "en")),
    ),
    changes="ziehe wechsle werde",
    alike="""ein=eine|einen|einem|ne|nen|'ne eine=ein|einen|ne den=das|die|dem der=die|dem|das
    unsere=die|unser|unserer|der|das großer=großes|große""",
    numbers="""
        null=0 eins=1 ein=1 zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12
        dreizehn=13 vierzehn=14 fünfzehn=15 sechzehn=16 siebzehn=17 achtzehn=18 neunzehn=19 zwanzig=20
        einundzwanzig=21 zweiundzwanzig=22 dreiundzwanzig=23 vierundzwanzig=24 fünfundzwanzig=25 sechsundzwanzig=26
        siebenundzwanzig=27 achtundzwanzig=28 neunundzwanzig=29 dreißig=30 einunddreißig=31 zweiunddreißig=32
        dreiunddreißig=33 vierunddreißig=34 fünfunddreißig=35 sechsunddreißig=36 siebenunddreißig=37
        achtunddreißig=38 neununddreißig=39 vierzig=40 fünfundvierzig=45 fünfzig=50 sechzig=60 siebzig=70 achtzig=80
        neunzig=90""",
)
