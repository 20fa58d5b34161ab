"""Spanish."""

from __future__ import annotations

from ..language import Language

_IRREGULAR = """
soy es ser siendo sido fui fue era somos
estoy está estar estando estado estuve estuvo estaba estamos
tengo tiene tener teniendo tenido tuve tuvo tenía tenemos
hago hace hacer haciendo hecho hice hizo hacía hacemos
voy va ir yendo ido fui fue iba vamos
vivo vive vivir viviendo vivido viví vivió vivía vivimos
resido reside residir residiendo residido residí residió residía residimos
nací nace nacer naciendo nacido nací nació nacía nacimos
crezco crece crecer creciendo crecido crecí creció crecía crecimos
vengo viene venir viniendo venido vine vino venía venimos
como come comer comiendo comido comí comió comía comemos
sigo sigue seguir siguiendo seguido seguí siguió seguía seguimos
prefiero prefiere preferir prefiriendo preferido preferí prefirió prefería preferimos
odio odia odiar odiando odiado odié odió odiaba odiamos
detesto detesta detestar detestando detestado detesté detestó detestaba detestamos
adoro adora adorar adorando adorado adoré adoró adoraba adoramos
amo ama amar amando amado amé amó amaba amamos
aborrezco aborrece aborrecer aborreciendo aborrecido aborrecí aborreció aborrecía aborrecemos
conduzco conduce conducir conduciendo conducido conduje condujo conducía conducimos
juego juega jugar jugando jugado jugué jugó jugaba jugamos
leo lee leer leyendo leído leí leyó leía leemos
escribo escribe escribir escribiendo escrito escribí escribió escribía escribimos
digo dice decir diciendo dicho dije dijo decía decimos
trabajo trabaja trabajar trabajando trabajado trabajé trabajó trabajaba trabajamos
curro curra currar currando currado curré curró curraba curramos
estudio estudia estudiar estudiando estudiado estudié estudió estudiaba estudiamos
hablo habla hablar hablando hablado hablé habló hablaba hablamos
llamo llama llamar llamando llamado llamé llamó llamaba llamamos
llevo lleva llevar llevando llevado llevé llevó llevaba llevamos
uso usa usar usando usado usé usó usaba usamos
toco toca tocar tocando tocado toqué tocó tocaba tocamos
mudo muda mudar mudando mudado mudé mudó mudaba mudamos
traslado traslada trasladar trasladando trasladado trasladé trasladó trasladaba trasladamos
colecciono colecciona coleccionar coleccionando coleccionado coleccioné coleccionó coleccionaba coleccionamos
practico practica practicar practicando practicado practiqué practicó practicaba practicamos
domino domina dominar dominando dominado dominé dominó dominaba dominamos
empiezo empieza empezar empezando empezado empecé empezó empezaba empezamos
entro entra entrar entrando entrado entré entró entraba entramos
dejo deja dejar dejando dejado dejé dejó dejaba dejamos
cumplo cumple cumplir cumpliendo cumplido cumplí cumplió cumplía cumplimos
acabo acaba acabar acabando acabado acabé acabó acababa acabamos
adopto adopta adoptar adoptando adoptado adopté adoptó adoptaba adoptamos
despliego despliega desplegar desplegando desplegado desplegué desplegó desplegaba desplegamos
gestiono gestiona gestionar gestionando gestionado gestioné gestionó gestionaba gestionamos
migro migra migrar migrando migrado migré migró migraba migramos
cambio cambia cambiar cambiando cambiado cambié cambió cambiaba cambiamos
paso pasa pasar pasando pasado pasé pasó pasaba pasamos
sé sabe saber sabiendo sabido supe supo sabía sabemos
doy da dar dando dado di dio daba damos
soporto soporta soportar soportando soportado soporté soportó soportaba soportamos
aguanto aguanta aguantar aguantando aguantado aguanté aguantó aguantaba aguantamos
quiero quiere querer queriendo querido quise quiso quería queremos
encanta encanta encantar encantando encantado encanté encantó encantaba -
gusta gusta gustar gustando gustado gusté gustó gustaba -
caso casa casar casando casado casé casó casaba casamos
"""

LANGUAGE = Language(
    code="es",
    words="""
        pronombres, llamame, dime, presento, toda, laburo, incorporé, contrataron, ficharon, renuncié,
        ejerzo, rompí, separé, divorcié, salgo, volví, vuelto, tolero, defiendo, siento, cómodo, cómoda,
        puedo, convivo, correo, teléfono, móvil, zona, horaria, nacimiento, edad, curso, datos, crié,
        guardamos, almacenamos, actualizamos, migramos, subimos, pasamos, desplegamos, publicamos,
        utilizamos, ramas, rama, gestor, paquetes, nuevo, repugna, fastidia, código, repo, favorito,
        favorita,
        yo, mi, mis, me, soy, es, en, de, la, el, los, las, un, una, y, con, a, para, por, no, que, se, del, al, lo,
        nuestro, nuestra, nuestros, tengo, vivo, trabajo, hablo, años, estoy, somos, nos, desde, alérgico, alérgica,
        gusta, está, pareja, proyecto, va, usamos, ci, nombre, cumple, como, llámame, encanta, encantan, gustan,
        chifla, chiflan, flipa, flipan, mola, molan, fascina, fascinan, apasiona, apasionan, pirra, pirran,
        disgusta, molesta, llaman, dicen, usa, utiliza, corre, aquí, licencia, alergia, alergias, nadie, siempre,
        nunca, despidieron, han""",
    me="yo",
    group="nosotros, nosotras",
    my="mi, mis, nuestro, nuestra, nuestros, nuestras",
    bare="mamá, papá",
    fillers="""
        ahora, actualmente, todavía, aún, también, ya, siempre, finalmente, realmente, normalmente, mayormente,
        principalmente, sobre todo, además, personalmente, hoy en día, hoy por hoy, últimamente, en la actualidad,
        por fin, por ahora, de momento, ahora mismo, felizmente, oficialmente, justo, recién, recientemente, mucho,
        muchísimo, muy, bastante, bien, sola, solo, juntos, con soltura, con fluidez, de nuevo, otra vez, de hecho,
        un poco de, algo de, un poco, un montón, tanto, todos, todo, en general, especialmente, sin duda, la verdad,
        en realidad, por cierto, los dos, tranquilamente, de verdad, por trabajo, por aquí""",
    marks={
        "not": "no, tampoco",
        "never": "nunca, jamás",
        "ended": "ya no, no más, nunca más",
        "used": """
            antes, solía, solíamos, antiguamente, en su día, hace tiempo, hasta hace poco, hace años, de pequeño, de
            pequeña, de niño, de niña, de joven""",
        "third+planned": "va a, van a, planea",
        "planned": "voy a, vamos a, pienso, pensamos, planeo, tengo pensado, pronto",
        "third+wish": "quiere, le gustaría",
        "wish": """
            quiero, queremos, quisiera, querría, me gustaría, nos gustaría, podría, puedo, puede, debería, debo, tengo
            que, espero, ojalá, sueño con, deseo, pretendo, intento, estoy pensando en, he pensado en, necesito""",
        "doubt": """
            quizá, quizás, tal vez, casi, probablemente, posiblemente, a lo mejor, supuestamente, apenas, por poco,
            prácticamente, a veces, igual, presuntamente, en teoría, temporalmente, todavía no, aún no""",
        "perfect": "he, hemos",
        "third+perfect": "ha, han",
        "pastperfect": "había, habíamos",
        "doing": "estoy, estamos, llevo, llevamos, sigo, seguimos",
        "third+doing": "está, lleva, sigue, están",
        "since": "toda mi vida, toda la vida, desde siempre, desde pequeño, desde pequeña",
        "only": "solo, sólo, solamente, únicamente",
    },
    openers="""
        el año pasado, el mes pasado, la semana pasada, ayer, anteayer, hace poco, hace años, después de tres meses,
        hola, buenas, buenos días, buenas tardes, buenas noches, hey, ey, sí, no, bueno, vale, pues, y, pero,
        además, por cierto, ojo, mira, oye, verás, apunta, apúntate, anota, recuerda, recuerda que, ten en cuenta
        que, ten en cuenta, que sepas que, para que sepas, para que lo sepas, por si sirve, por si acaso,
        actualmente, ahora, ahora mismo, hoy, hoy en día, últimamente, la verdad, la verdad es que, de hecho, en
        realidad, en serio, sinceramente, claro, por supuesto, gracias, perdona, perdón, corrección, aviso, nota,
        dato, actualización, novedad, noticias, buenas noticias, porque, ya que, como, aunque, mientras, así que, o
        sea, es que, resulta que, total, al final, por fin, finalmente, también, a ver, una duda, una duda rápida,
        una cosa, otra cosa, eso sí, desde luego, personalmente, por mi parte, en mi caso, en casa, en el trabajo,
        aquí, en este proyecto, en el proyecto, en nuestro proyecto, me presento, déjame presentarme, te cuento, os
        cuento, te comento, te informo, quería decirte que, olvidé decirte que, se me olvidó decirte que, se me
        olvidaba, te recuerdo que, como sabes, como ya sabes, como te dije, afortunadamente, por suerte,
        desgraciadamente, lamentablemente, por desgracia, encantado, encantada, en mi tiempo libre, en mis ratos
        libres, los fines de semana, sabes que, cambié de curro, cambié de trabajo, nada, eh, ah, ay, uf, jaja,
        jajaja, de acuerdo, ok, okay, a mí, a mi, en general, entonces, luego, después, desde entonces, ya, si te
        sirve, si ayuda, todavía, stack, bio, acabo de, acabamos de, yo soy de los que""",
    conjunctions="y, e, pero, porque, ya que, aunque, mientras, así que, pues, entonces, además, sino",
    resets="pero, sino, en realidad, ahora",
    strangers="él, ella, ellos, ellas, su, sus, le, les",
    during="durante",
    joiners="y, e, o, u, más",
    articles="un, una, unos, unas, el, la, los, las, al, del, algún, alguna, nuestro, nuestra, lo",
    stops="""
        pero, porque, ya que, que, quien, donde, dónde, cuando, cuándo, mientras, si, aunque, hasta, desde, después,
        antes, ayer, hoy, mañana, anoche, ahora, ahora mismo, actualmente, por favor, gracias, porfa, entonces, sin
        embargo, salvo, excepto, en lugar de, en vez de, jaja, jajaja, jajajaja, la verdad, todavía, aún, ya,
        también, tampoco, últimamente, por ahora, de momento, hoy en día, este año, este mes, esta semana, el año
        pasado, el mes pasado, la semana pasada, el próximo, el año que viene, hace, durante, así que, y yo, y mi, y
        me, y no, o sea, sobre todo, mucho, muchísimo, más que, es, está, son, era, fue, tiene, tengo, soy, estoy,
        vivo, trabajo, hablo, con, para, por, sin, como, pues, lo siento, vale, verdad, cada, siempre,
        especialmente, bastante, en general, de nuevo, otra vez, con locura, un montón, un poco, a""",
    empties="""ni,
        esto, eso, aquello, ello, él, ella, ellos, ellas, tú, usted, ustedes, nadie, nada, algo, alguien, todo,
        todos, qué, que, cómo, cuando, cuándo, dónde, donde, quién, quien, cuál, si, no, tu, tus, su, sus, este,
        esta, ese, esa, aquel, aquella, me, te, se, le, les, nos, ser, estar, haber, muy, tan, más, menos, mucho,
        poco, así, aquí, allí, ahí, bien, mal, mejor, peor, idea, cosa, y, o, pero, porque, de, en, con, por, para,
        a, sin, sobre, gracias, perdona, también, ya, ni, otro, otra, tanto, cada, yo, mi, mis, cierto,
        verdad""",
    connectors="de, del, la, las, los, el, y, san, santa, da, do, van, von, of, the, i, &",
    followers="""
        y, e, o, con, cerca, en, por, para, a, desde, hace, solo, sola, junto, de, como, que, donde, trabajando,
        estudiando, pero, ni, al, ahora, aquí, allí, encantado, encantada, sin, ya, también, tercero, segundo,
        primero, todavía, temporalmente, además, hasta, sobre, entre, los, las, muy, todo, una, un, mejor""",
    blocks="""
        si, como si, ojalá, suponiendo, suponiendo que, supón, supón que, supongamos, supongamos que, imagina,
        imagina que, imaginemos, imaginemos que, imagínate, imagínate que, digamos, digamos que, pongamos que, en
        caso de que, a menos que, a no ser que, salvo que, siempre que, con tal de que, cuando sea, cuando tenga,
        cuando me, cuando acabe, cuando termine, quién pudiera, haz como si, finge, finge que, hipotéticamente, en
        un sueño, soñé que, soñé, he soñado, en mis sueños, en otra vida, en el juego, en mi novela, en la novela,
        en el cuento, en la obra, en la película, en la serie, en el papel, en el guion, por ejemplo, p.ej, ejemplo,
        un ejemplo, traduce, traducir, tradúceme, cómo se dice, corrige, corrígeme, redacta, escribe, escríbeme un,
        escríbeme una, resume, resúmeme, convierte, según, dice, dice que, dicen, dicen que, dijo, dijo que, dije
        que, digo que, decía, comenta, comenta que, comentó, cree, cree que, creen que, creía que, piensa que,
        piensan que, pensé que, afirma, afirma que, asegura, me dijo, me dijeron, me contó, contó que, cuenta que,
        he oído que, oí que, rumores, se rumorea que, corre el rumor, aparentemente, supuestamente, al parecer,
        sale, pone, pone que, mintió, mentí, es mentira que, no es que, no es cierto que, no es verdad que, no digo
        que, no he dicho que, no digas, no digas que, nunca digas, di que, diles que, deberías, deberíais, podrías,
        tienes que, hay que, conviene, mejor, consejo, responde, responde como, actúa, actúa como, contesta como,
        háblame como, eres, tú eres, serás, hagamos, nadie, ninguno, ninguna, casi, por poco, a punto de, estuve a
        punto de, quién, qué, cuándo, dónde, cómo, cuánto, cuántos, cuántas, cuál, por qué, me pregunto si, no sé
        si, no sé dónde, a lo mejor, quizá, quizás, tal vez, igual, puede que, puede ser que, menos mal que no,
        cuando era, de pequeño, de pequeña, de niño, de niña, en aquella época, en aquel entonces, como me, letra,
        canción, el verso, la frase, la oración, titular, lema, sin, el cliente, la persona, una persona, gente, la
        gente, todo el mundo""",
    voids="""
        es broma, era broma, de broma, broma, bromeo, mentira, en mis sueños, ojalá, sería genial, sería bonito,
        como dice el refrán, refrán, personaje, protagonista, narrador, narradora, ficticio, ficción, capítulo,
        guion, monólogo, juego de rol, hipotéticamente, según dicen, en teoría, proverbio, letra de la canción, log""",
    jokes="""
        es broma, era broma, de broma, es coña, de coña, es guasa, estoy bromeando, bromeaba, mentira, es mentira, te
        tomo el pelo""",
    scenes="""
        hagamos un juego de rol, juego de rol, juguemos a, vamos a jugar, jugamos a, ensayemos, ensayar, ensayo,
        vamos a ensayar, practiquemos, practicar, practico mi, finjamos, finge que, finge, haz de, haz el papel de,
        actúa como, eres un, eres una, tú eres, yo soy el, tú haces, yo hago de, escribe un cuento, escribe una
        historia, escribe un poema, escribe una canción, escribe un relato, escribe un diálogo, escríbeme un cuento,
        escríbeme una historia, cuéntame un cuento, cuéntame una historia, érase una vez, había una vez, traduce,
        traducir, tradúceme, corrige, corrígeme, reescribe, parafrasea, texto de ejemplo, datos de prueba, ejemplo
        de diálogo, transcripción, capítulo, guion, monólogo, letra, mi discurso, la carta empieza, convierte,
        convierte a json, supongamos, imagina, imaginemos, imagínate, entrevista simulada""",
    tails="""
        es broma, era broma, no es cierto, no es verdad, es mentira, creo, supongo, me parece, dice, dijo, dicen,
        según, si, a menos que, en teoría, en mis sueños, algún día, tal vez, quizá, quizás, a lo mejor, a veces, de
        vez en cuando, de vacaciones, de visita, de viaje, de paso, por unos días, por unas semanas, unos días, dos
        días, tres días, una semana, dos semanas, este fin de semana, esta semana, el fin de semana, durante el
        verano, temporalmente, por trabajo esta semana, en el juego, en la novela, en la película, jaja no""",
    courtesies="""
        si te sirve, si ayuda, si te interesa, si hace falta, por si acaso, si no recuerdo mal, por si sirve, si
        necesitas saberlo, según el tiempo""",
    scopes="""
        solo, sólo, solamente, únicamente, exclusivamente, simplemente, bien, mal, mucho, mucha, muy, siempre,
        tanto, tan, todo, toda, todos, perfectamente, demasiado, bastante, exactamente, precisamente, sola,
        juntos, juntas, con fluidez, con soltura, a menudo, del todo, necesariamente, realmente, principalmente,
        todavía, aún, permanentemente, cada""",
    parts="""
        cerca, alrededores, centro, afueras, barrio, norte, sur, este, oeste, casco, corazón, periferia, mismo,
        mismísimo, mismísima, zona""",
    reasons="""
        por, para, porque, con, sin, ya que, debido, a causa, desde""",
    takebacks="""
        no es verdad, no es cierto, es mentira, mentira, eso no es verdad, antes, hasta hace poco, ya quisiera
        yo, eso quisiera yo, más quisiera yo, no, casi, ojalá, qué va, ya quisiera, ya me gustaría, eso
        quisiera, ni de broma, ni en sueños, no tanto, más o menos, no exactamente, no del todo, no realmente,
        ya no, todavía no, aún no, en realidad no, en mis sueños, prácticamente, para nada, algún día, nunca,
        jamás, qué más quisiera""",
    asks="""
        qué, quién, cuándo, dónde, cómo, cuánto, cuántos, cuál, por qué, puedes, podrías, puedo, puede, sabes, hay,
        es, está, son, tienes, me compensa, compensa, me recomiendas, recomiendas, alguna, algún, conoces, crees,
        vale la pena, necesito, debería, qué tal, me ayudas, hago, alguien, se puede, le""",
    speech="""
        dice, dijo, dicen, cree, piensa, afirma, asegura, comenta, comentó, contó, escribió, pregunta, preguntó,
        canta, respondió, gritó, insiste, dijeron, suena""",
    drops_subject=True,
    reflexive=("me", "se"),
    columns=("present1", "present3", "inf", "ing", "part", "past1", "past3", "imperfect", "presentp"),
    verbs=_IRREGULAR,
    regular=(
        ("o", ("o", "a", "ar", "ando", "ado", "é", "ó", "aba", "amos")),
        ("é", ("o", "a", "ar", "ando", "ado", "é", "ó", "aba", "amos")),
        ("í", ("o", "e", "ir", "iendo", "ido", "í", "ió", "ía", "imos")),
    ),
    changes="mudo traslado migro cambio empiezo entro dejo paso adopto caso cumplo",
    alike="""alérgico=alérgica|alergico|alergica nacido=nacida casado=casada preferido=preferida
    favorito=favorita|favoritos|favoritas el=la|los|las fanático=fanática criado=criada
    aficionado=aficionada un=una nuestra=la|nuestro|el nuestro=el|nuestra|la""",
    numbers="""
        cero=0 uno=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13
        catorce=14 quince=15 dieciséis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 veintiuno=21
        veintiún=21 veintidós=22 veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27
        veintiocho=28 veintinueve=29 treinta=30 cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90""",
)
