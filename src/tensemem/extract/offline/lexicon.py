"""Word lists behind the kinds of slots: what is a language, a diet, an animal, a trade, a place …

A list makes a slot precise: "I speak {value:language}" is not misled by "I speak quickly". Lists are open to every
language at once, since a word that is a language's name in one of them is seldom something else in a slot of another.
"""

from __future__ import annotations

from ...core.text import comparison_key


def _list(*tables: str) -> frozenset[str]:
    return frozenset(comparison_key(item) for table in tables for item in table.split(",") if item.strip())


def _spaced(table: str) -> tuple[str, ...]:
    return tuple(table.split())


LANGUAGES = _list(
    """english, german, french, spanish, portuguese, brazilian portuguese, italian, dutch, flemish, danish, swedish,
    norwegian, icelandic, finnish, estonian, latvian, lithuanian, polish, czech, slovak, slovene, slovenian, croatian,
    serbian, bosnian, macedonian, bulgarian, romanian, hungarian, greek, turkish, albanian, russian, ukrainian,
    belarusian, georgian, armenian, azerbaijani, kazakh, uzbek, mongolian, chinese, mandarin, mandarin chinese,
    cantonese, hokkien, shanghainese, taiwanese, japanese, korean, vietnamese, thai, lao, khmer, burmese, malay,
    indonesian, bahasa, javanese, tagalog, filipino, cebuano, hindi, urdu, bengali, punjabi, gujarati, marathi, tamil,
    telugu, kannada, malayalam, sinhala, nepali, pashto, dari, farsi, persian, kurdish, arabic, egyptian arabic,
    moroccan arabic, darija, hebrew, yiddish, amharic, tigrinya, somali, swahili, hausa, yoruba, igbo, zulu, xhosa,
    afrikaans, wolof, twi, akan, shona, lingala, malagasy, maori, hawaiian, samoan, quechua, guarani, nahuatl, aymara,
    catalan, basque, galician, welsh, irish, gaelic, scottish gaelic, breton, luxembourgish, maltese, swiss german,
    low german, latin, esperanto, sign language, asl, american sign language, bsl, british sign language, creole,
    haitian creole, tatar, tibetan, uyghur, romansh, sicilian, frisian, faroese, sami""",
    """deutsch, englisch, französisch, spanisch, portugiesisch, italienisch, niederländisch, holländisch, flämisch,
    dänisch, schwedisch, norwegisch, isländisch, finnisch, estnisch, lettisch, litauisch, polnisch, tschechisch,
    slowakisch, slowenisch, kroatisch, serbisch, bosnisch, mazedonisch, bulgarisch, rumänisch, ungarisch, griechisch,
    türkisch, albanisch, russisch, ukrainisch, weißrussisch, georgisch, armenisch, kasachisch, chinesisch, mandarin,
    kantonesisch, japanisch, koreanisch, vietnamesisch, thailändisch, malaiisch, indonesisch, persisch, kurdisch,
    arabisch, hebräisch, jiddisch, amharisch, tigrinisch, suaheli, katalanisch, baskisch, galicisch, walisisch, irisch,
    schwyzerdütsch, schweizerdeutsch, plattdeutsch, platt, bairisch, bayrisch, schwäbisch, sächsisch, gebärdensprache,
    luxemburgisch, latein, sorbisch, friesisch, romanes, hindi, urdu, afrikaans""",
    """inglés, alemán, francés, español, castellano, portugués, italiano, holandés, neerlandés, danés, sueco, noruego,
    islandés, finés, finlandés, polaco, checo, eslovaco, esloveno, croata, serbio, búlgaro, rumano, húngaro, griego,
    turco, albanés, ruso, ucraniano, georgiano, armenio, chino, chino mandarín, mandarín, cantonés, japonés, coreano,
    vietnamita, tailandés, malayo, indonesio, persa, árabe, hebreo, suajili, catalán, valenciano, euskera, vasco,
    gallego, asturiano, aragonés, galés, irlandés, latín, quechua, guaraní, aimara, náhuatl, maya, mapudungun, bretón,
    bengalí, lengua de signos, lengua de señas, lenguaje de señas, esperanto, criollo, bable""",
    """中文, 汉语, 漢語, 普通话, 普通話, 国语, 國語, 粤语, 粵語, 广东话, 廣東話, 白话, 闽南语, 闽南话, 台语,
        上海话, 四川话, 客家话, 客家語, 潮汕话, 温州话, 英语, 英語, 英文, 日语, 日語, 日文, 韩语, 韓語, 韩文, 法语,
        法語, 法文, 德语, 德語, 德文, 西班牙语, 西语, 葡萄牙语, 葡语, 意大利语, 意语, 俄语, 俄語, 俄文, 阿拉伯语,
        泰语, 泰文, 越南语, 印尼语, 马来语, 印地语, 荷兰语, 瑞典语, 挪威语, 丹麦语, 芬兰语, 波兰语, 捷克语,
        匈牙利语, 希腊语, 土耳其语, 希伯来语, 波斯语, 乌克兰语, 拉丁语, 藏语, 维吾尔语, 蒙古语, 蒙语, 满语, 彝语,
        壮语, 苗语, 手语, 世界语, 东北话, 湖南话, 重庆话, 武汉话, 陕西话, 方言""",
)

DIETS = _list(
    """vegetarian, a vegetarian, vegan, pescatarian, pescetarian, flexitarian, lacto-vegetarian, ovo-vegetarian,
    lacto vegetarian, ovo vegetarian, keto, ketogenic, paleo, carnivore, halal, kosher, gluten-free, gluten free,
    dairy-free, dairy free, lactose-free, lactose free, low-carb, low carb, plant-based, plant based, fruitarian,
    raw vegan, celiac, coeliac, sugar-free, sugar free, omnivore, macrobiotic, low fodmap, low-fodmap, mediterranean,
    whole30, nut-free, jain, strict vegetarian, strict vegan, strictly vegetarian, strictly vegan, strictly halal,
    strictly kosher, mostly vegetarian, mostly vegan, mostly plant-based, fully vegan, fully plant-based, veggie,
    no-sugar, low-sodium, low sodium, low-fat, meat-free, egg-free, grain-free""",
    """vegetarisch, vegetarier, vegetarierin, veganer, veganerin, pescetarier, pescetarierin, pescetarisch,
    pescatarier, pescatarierin, flexitarier, flexitarierin, flexitarisch, glutenfrei, laktosefrei, milchfrei, koscher,
    ketogen, zuckerfrei, rein pflanzlich, pflanzlich, fleischlos, rohköstler, rohkost, frutarier, low-carb,
    histaminarm, salzarm, fettarm, veggie""",
    """vegetariano, vegetariana, vegano, vegana, pescetariano, pescetariana, pescatariano, pescatariana,
    pescovegetariano, pescovegetariana, flexitariano, flexitariana, ovolactovegetariano, ovolactovegetariana,
    crudivegano, crudivegana, sin gluten, sin lactosa, sin azúcar, cetogénica, keto, kosher, halal, celíaco, celíaca,
    celiaco, celiaca, frugívoro, carnívoro, carnívora, omnívoro, omnívora, baja en carbohidratos, mediterránea""",
    """素食者, 素食主义者, 素食主義者, 素食, 吃素的, 吃素, 纯素, 纯素食者, 全素, 蛋奶素, 蛋奶素食者, 奶素, 鱼素者,
        鱼素, 弹性素食者, 清真, 清真饮食, 生酮, 生酮饮食, 低碳, 低碳饮食, 无麸质, 无麸质饮食, 低糖饮食, 低盐饮食,
        纯素主义者, 茹素""",
)

_TRADES = """
    engineer, developer, programmer, designer, architect, manager, director, analyst, scientist, researcher,
    consultant, administrator, technician, operator, nurse, doctor, physician, surgeon, dentist, pharmacist,
    vet, veterinarian, paramedic, midwife, therapist, physiotherapist, psychologist, psychiatrist, counselor,
    counsellor, social worker, caregiver, carer, teacher, professor, lecturer, tutor, librarian, principal,
    headteacher, lawyer, attorney, solicitor, barrister, paralegal, judge, notary, accountant, bookkeeper,
    auditor, banker, trader, broker, actuary, economist, statistician, mathematician, physicist, chemist,
    biologist, geologist, astronomer, cashier, clerk, receptionist, secretary, assistant, salesperson, salesman,
    saleswoman, sales rep, realtor, estate agent, recruiter, marketer, copywriter, editor, journalist, reporter,
    writer, author, novelist, poet, translator, interpreter, photographer, filmmaker, videographer,
    cinematographer, musician, singer, composer, violinist, pianist, cellist, drummer, guitarist, dj, actor,
    actress, dancer, choreographer, painter, sculptor, illustrator, animator, artist, potter, jeweler, jeweller,
    tailor, seamstress, hairdresser, barber, beautician, makeup artist, tattoo artist, chef, cook, sous chef,
    baker, butcher, barista, bartender, waiter, waitress, server, sommelier, brewer, farmer, gardener, florist,
    fisherman, forester, beekeeper, carpenter, plumber, electrician, mechanic, welder, mason, bricklayer,
    roofer, locksmith, machinist, blacksmith, glazier, joiner, builder, surveyor, driver, truck driver, bus
    driver, taxi driver, courier, pilot, flight attendant, air traffic controller, sailor, captain, firefighter,
    police officer, detective, soldier, officer, security guard, lifeguard, personal trainer, coach, athlete,
    referee, product owner, scrum master, project manager, product manager, cto, ceo, cfo, coo, vp of
    engineering, head of engineering, head of product, head of design, sysadmin, sre, devops engineer, data
    scientist, data analyst, data engineer, qa tester, tester, test lead, tech lead, team lead, engineering
    manager, intern, apprentice, trainee, freelancer, entrepreneur, founder, co-founder, cofounder, landlord,
    cleaner, janitor, housekeeper, nanny, au pair, postman, mail carrier, warehouse worker, factory worker,
    radiologist, cardiologist, neurologist, oncologist, dermatologist, pediatrician, paediatrician,
    anesthesiologist, optometrist, optician, nutritionist, dietitian, radiographer, epidemiologist, zookeeper,
    curator, archaeologist, historian, linguist, anthropologist, sociologist, philosopher, theologian, priest,
    pastor, rabbi, imam, monk, diplomat, politician, civil servant, urban planner, event planner, travel agent,
    tour guide, game developer, game designer, web developer, web designer, ux designer, ui designer, ux
    researcher, product designer, graphic designer, interior designer, fashion designer, software developer,
    software engineer, phd student, grad student, student, postdoc, research assistant, teaching assistant,
    school teacher, substitute teacher, kindergarten teacher, piano teacher, yoga teacher, yoga instructor,
    instructor, dental hygienist, speech therapist, occupational therapist, bus conductor, conductor, train
    driver, crane operator, toolmaker, watchmaker, winemaker, shopkeeper, stonemason, plasterer, tiler,
    upholsterer, screenwriter, playwright, songwriter, streamer, youtuber, podcaster, blogger, content creator,
    community manager, customer support agent, support engineer, account manager, account executive, business
    analyst, financial analyst, underwriter, investment banker, loan officer, bank teller, teller, buyer, quant,
    logistician, dispatcher, scheduler, planner, foreman, supervisor, geographer, meteorologist, oceanographer"""
_TRADES_DE = """
    ingenieur, ingenieurin, entwickler, entwicklerin, softwareentwickler, softwareentwicklerin, programmierer,
    programmiererin, informatiker, informatikerin, designer, designerin, grafikdesigner, grafikdesignerin,
    architekt, architektin, manager, managerin, projektmanager, projektmanagerin, projektleiter,
    projektleiterin, leiter, leiterin, teamleiter, teamleiterin, filialleiter, filialleiterin, direktor,
    direktorin, geschäftsführer, geschäftsführerin, analyst, analystin, wissenschaftler, wissenschaftlerin,
    forscher, forscherin, berater, beraterin, steuerberater, steuerberaterin, techniker, technikerin,
    krankenpfleger, krankenpflegerin, krankenschwester, pfleger, pflegerin, altenpfleger, altenpflegerin,
    pflegefachkraft, arzt, ärztin, zahnarzt, zahnärztin, tierarzt, tierärztin, kinderarzt, kinderärztin,
    chirurg, chirurgin, apotheker, apothekerin, hebamme, sanitäter, sanitäterin, notfallsanitäter,
    notfallsanitäterin, physiotherapeut, physiotherapeutin, ergotherapeut, ergotherapeutin, logopäde, logopädin,
    psychologe, psychologin, psychotherapeut, psychotherapeutin, therapeut, therapeutin, sozialarbeiter,
    sozialarbeiterin, sozialpädagoge, sozialpädagogin, erzieher, erzieherin, lehrer, lehrerin, grundschullehrer,
    grundschullehrerin, professor, professorin, dozent, dozentin, bibliothekar, bibliothekarin, anwalt,
    anwältin, rechtsanwalt, rechtsanwältin, richter, richterin, notar, notarin, jurist, juristin, buchhalter,
    buchhalterin, wirtschaftsprüfer, wirtschaftsprüferin, bankkaufmann, bankkauffrau, kaufmann, kauffrau,
    industriekaufmann, industriekauffrau, bürokaufmann, bürokauffrau, sachbearbeiter, sachbearbeiterin,
    sekretär, sekretärin, assistent, assistentin, verkäufer, verkäuferin, kassierer, kassiererin, makler,
    maklerin, personalerin, personaler, texter, texterin, redakteur, redakteurin, journalist, journalistin,
    autor, autorin, schriftsteller, schriftstellerin, übersetzer, übersetzerin, dolmetscher, dolmetscherin,
    fotograf, fotografin, musiker, musikerin, sänger, sängerin, schauspieler, schauspielerin, künstler,
    künstlerin, maler, malerin, tänzer, tänzerin, schneider, schneiderin, friseur, friseurin, friseuse, koch,
    köchin, bäcker, bäckerin, konditor, konditorin, metzger, metzgerin, kellner, kellnerin, barkeeper, winzer,
    winzerin, landwirt, landwirtin, bauer, bäuerin, gärtner, gärtnerin, florist, floristin, förster, försterin,
    imker, imkerin, tischler, tischlerin, schreiner, schreinerin, zimmermann, klempner, klempnerin, elektriker,
    elektrikerin, mechaniker, mechanikerin, mechatroniker, mechatronikerin, kfz-mechatroniker, schlosser,
    schlosserin, schweißer, maurer, maurerin, dachdecker, dachdeckerin, schornsteinfeger, schornsteinfegerin,
    fahrer, fahrerin, lkw-fahrer, lkw-fahrerin, busfahrer, busfahrerin, taxifahrer, taxifahrerin, lokführer,
    lokführerin, pilot, pilotin, flugbegleiter, flugbegleiterin, polizist, polizistin, feuerwehrmann,
    feuerwehrfrau, soldat, soldatin, beamter, beamtin, postbote, postbotin, hausmeister, hausmeisterin,
    reinigungskraft, trainer, trainerin, student, studentin, doktorand, doktorandin, azubi, praktikant,
    praktikantin, werkstudent, werkstudentin, freelancer, freelancerin, gründer, gründerin, optiker, optikerin,
    hörakustiker, hörakustikerin, laborant, laborantin, chemiker, chemikerin, physiker, physikerin, biologe,
    biologin, mathematiker, mathematikerin, statistiker, statistikerin, geologe, geologin, historiker,
    historikerin, archäologe, archäologin, pfarrer, pfarrerin, bestatter, bestatterin, rettungssanitäter,
    rettungssanitäterin, sommelier, tontechniker, tontechnikerin, bauingenieur, bauingenieurin,
    maschinenbauingenieur, maschinenbauingenieurin, datenanalyst, datenanalystin, produktmanager,
    produktmanagerin, ux-designer, ux-designerin, medizinische fachangestellte, goldschmied, goldschmiedin,
    töpfer, töpferin, uhrmacher, uhrmacherin, schauspielschüler, hebammenschülerin, referendar, referendarin"""
_TRADES_ES = """
    ingeniero, ingeniera, desarrollador, desarrolladora, programador, programadora, informático, informática,
    diseñador, diseñadora, arquitecto, arquitecta, gerente, director, directora, jefe de producto, jefa de
    producto, jefe de proyecto, jefa de proyecto, analista, científico, científica, investigador, investigadora,
    consultor, consultora, administrador, administradora, administrativo, administrativa, técnico, técnica,
    enfermero, enfermera, médico, médica, doctor, doctora, cirujano, cirujana, dentista, farmacéutico,
    farmacéutica, veterinario, veterinaria, matrona, fisioterapeuta, fisio, psicólogo, psicóloga, psiquiatra,
    terapeuta, trabajador social, trabajadora social, cuidador, cuidadora, auxiliar, maestro, maestra, profesor,
    profesora, profe, docente, bibliotecario, bibliotecaria, abogado, abogada, juez, jueza, notario, notaria,
    contador, contadora, contable, auditor, auditora, banquero, economista, cajero, cajera, dependiente,
    dependienta, vendedor, vendedora, comercial, recepcionista, secretario, secretaria, asistente, reclutador,
    reclutadora, periodista, redactor, redactora, editor, editora, escritor, escritora, traductor, traductora,
    intérprete, fotógrafo, fotógrafa, cineasta, músico, música, cantante, compositor, compositora, actor,
    actriz, bailarín, bailarina, pintor, pintora, escultor, escultora, ilustrador, ilustradora, artista,
    costurera, sastre, peluquero, peluquera, barbero, cocinero, cocinera, chef, panadero, panadera, pastelero,
    pastelera, carnicero, carnicera, camarero, camarera, mesero, mesera, barista, agricultor, agricultora,
    ganadero, ganadera, jardinero, jardinera, florista, pescador, pescadora, carpintero, carpintera, fontanero,
    fontanera, plomero, plomera, electricista, mecánico, mecánica, soldador, soldadora, albañil, conductor,
    conductora, chofer, chófer, camionero, camionera, taxista, repartidor, repartidora, maquinista, piloto,
    azafata, bombero, bombera, policía, guardia civil, militar, soldado, vigilante, socorrista, entrenador,
    entrenadora, becario, becaria, estudiante, doctorando, doctoranda, autónomo, autónoma, empresario,
    empresaria, fundador, fundadora, limpiador, limpiadora, conserje, cartero, cartera, químico, química,
    físico, física, biólogo, bióloga, matemático, matemática, geólogo, geóloga, historiador, historiadora,
    arqueólogo, arqueóloga, sociólogo, socióloga, filósofo, filósofa, cura, pastor, logopeda, nutricionista,
    óptico, óptica, radiólogo, radióloga, cardiólogo, cardióloga, pediatra, oncólogo, oncóloga, anestesista,
    community manager, product manager, project manager, operario, operaria, funcionario, funcionaria,
    aparejador, aparejadora, joyero, joyera, sommelier, sumiller, guía turístico, guía turística, guía, gestor,
    gestora, asesor, asesora, politólogo, politóloga, locutor, locutora, guionista"""
ROLES = _list(_TRADES, _TRADES_DE, _TRADES_ES)
ROLES_UNSPACED = _spaced(
    """工程师 程序员 设计师 架构师 产品经理 项目经理 经理 总监 主管 分析师 科学家 研究员 顾问 管理员 技术员 护士
        医生 大夫 外科医生 牙医 药剂师 药师 兽医 助产士 治疗师 心理咨询师 咨询师 心理医生 社工 老师 教师 教授 讲师
        助教 校长 律师 法官 公证员 会计 会计师 出纳 审计师 审计 银行职员 柜员 交易员 精算师 经济学家 收银员 文员
        前台 秘书 助理 销售 销售员 中介 房产中介 人事 猎头 编辑 记者 作家 编剧 诗人 翻译 口译 摄影师 导演 音乐人
        音乐家 歌手 作曲家 钢琴家 演员 舞者 画家 雕塑家 插画师 动画师 艺术家 裁缝 理发师 美发师 化妆师 厨师 面点师
        面包师 屠夫 咖啡师 调酒师 服务员 农民 园丁 花艺师 渔民 木匠 木工 水管工 电工 机械师 焊工 修理工 司机
        卡车司机 出租车司机 公交司机 网约车司机 快递员 外卖员 骑手 飞行员 空姐 空乘 乘务员 船员 消防员 警察 民警
        军人 士兵 保安 教练 健身教练 运动员 裁判 实习生 学徒 自由职业者 创业者 创始人 保洁 保姆 月嫂 邮递员 工人
        测试 测试工程师 后端 前端 运维 产品 运营 公务员 放射科医生 儿科医生 麻醉师 营养师 考古学家 历史学家 数学家
        物理学家 化学家 生物学家 学生 大学生 研究生 博士生 博士后 高中生 程序猿 码农 全栈 数据分析师 法务 采购 店长
        导游 主播 博主 配音演员 乐手 琴师 陶艺师"""
)

ANIMALS = _list(
    """dog, dogs, puppy, puppies, cat, cats, kitten, kittens, rabbit, rabbits, bunny, bunnies, hamster, hamsters,
        guinea pig, guinea pigs, gerbil, gerbils, rat, rats, mouse, mice, ferret, ferrets, chinchilla, chinchillas,
        hedgehog, hedgehogs, parrot, parrots, budgie, budgies, parakeet, parakeets, canary, canaries, cockatiel,
        cockatiels, cockatoo, macaw, finch, finches, chicken, chickens, hens, hen, duck, ducks, goose, geese,
        pigeon, pigeons, fish, goldfish, betta, guppies, turtle, turtles, tortoise, tortoises, snake, snakes,
        python, boa, lizard, lizards, gecko, geckos, bearded dragon, iguana, chameleon, frog, frogs, axolotl,
        tarantula, horse, horses, pony, ponies, donkey, donkeys, goat, goats, sheep, pig, pigs, cow, cows, alpaca,
        alpacas, llama, llamas, corgi, poodle, labrador, golden retriever, retriever, german shepherd, beagle,
        dachshund, bulldog, husky, greyhound, border collie, collie, chihuahua, terrier, spaniel, pug, shiba, shiba
        inu, akita, dalmatian, boxer, rottweiler, doberman, whippet, pomeranian, shih tzu, maltese, mutt, rescue
        dog, tabby, siamese, persian cat, maine coon, ragdoll, sphynx, calico""",
    """hund, hunde, hündin, welpe, welpen, katze, katzen, kater, kätzchen, kaninchen, hase, hasen, hamster,
        meerschweinchen, ratte, ratten, maus, mäuse, frettchen, chinchilla, igel, papagei, papageien, wellensittich,
        wellensittiche, kanarienvogel, kanarienvögel, nymphensittich, nymphensittiche, huhn, hühner, hühnern, henne,
        hennen, ente, enten, gans, gänse, taube, tauben, fisch, fische, goldfisch, goldfische, schildkröte,
        schildkröten, schlange, schlangen, eidechse, gecko, leguan, chamäleon, bartagame, bartagamen, frosch,
        vogelspinne, pferd, pferde, pony, ponys, esel, ziege, ziegen, schaf, schafe, schwein, alpaka, alpakas,
        dackel, pudel, labrador, schäferhund, mops, dalmatiner, windhund, mischling, achatschnecken, achatschnecke,
        bienen""",
    """perro, perra, perros, perras, perrito, perrita, cachorro, cachorra, cachorros, gato, gata, gatos, gatas, gatito,
    gatita, gatitos, conejo, coneja, conejos, hámster, hámsters, cobaya, cobayas, cuy, cuyes, ratón, ratones, rata,
    ratas, hurón, hurones, chinchilla, erizo, loro, loros, periquito, periquitos, canario, canarios, cotorra, cotorras,
    agapornis, ninfa, gallina, gallinas, pato, patos, oca, paloma, palomas, pez, peces, tortuga, tortugas, serpiente,
    serpientes, lagarto, gecko, iguana, camaleón, rana, tarántula, caballo, caballos, yegua, poni, burro, burra, cabra,
    cabras, oveja, ovejas, cerdo, alpaca, alpacas, llama, labrador, galgo, galga, caniche, podenco, podenca, bulldog""",
    """狗, 小狗, 狗狗, 猫, 小猫, 猫咪, 橘猫, 黑猫, 白猫, 布偶猫, 布偶, 英短, 美短, 暹罗猫, 奶牛猫, 三花, 兔子,
        仓鼠, 豚鼠, 龙猫, 荷兰猪, 刺猬, 鹦鹉, 虎皮鹦鹉, 玄凤, 金丝雀, 鸽子, 鸡, 鸭子, 金鱼, 鱼, 锦鲤, 乌龟, 龟, 蛇,
        玉米蛇, 蜥蜴, 守宫, 变色龙, 马, 柯基, 泰迪, 贵宾, 金毛, 拉布拉多, 哈士奇, 边牧, 柴犬, 博美, 吉娃娃, 比熊,
        萨摩耶, 阿拉斯加, 德牧, 法斗, 土狗, 中华田园犬""",
)

ALLERGENS = _list(
    """peanut, peanuts, nuts, nut, tree nuts, almonds, almond, cashews, cashew, walnuts, walnut, hazelnuts,
        hazelnut, pistachios, pistachio, pecans, brazil nuts, macadamia, sesame, soy, soya, wheat, gluten, milk,
        dairy, lactose, cow's milk, eggs, egg, egg whites, fish, salmon, tuna, cod, shellfish, shrimp, prawns,
        prawn, crab, lobster, crustaceans, mussels, oysters, clams, squid, molluscs, celery, mustard, lupin,
        sulfites, sulphites, strawberries, strawberry, kiwi, kiwis, mango, mangoes, banana, bananas, apple, apples,
        peach, peaches, pineapple, avocado, avocados, tomato, tomatoes, citrus, oranges, lemon, chocolate, cinnamon,
        garlic, onion, onions, corn, coconut, honey, yeast, alcohol, wine, red wine, caffeine, pollen, birch pollen,
        birch, grass, grass pollen, ragweed, hazel pollen, dust, dust mites, house dust, mold, mould, cats, cat
        hair, cat dander, cat, dogs, dog hair, dog dander, dog, horses, animal hair, pet dander, feathers, wool,
        latex, nickel, silver, perfume, fragrance, bees, bee stings, wasps, wasp stings, bee venom, insect bites,
        mosquito bites, penicillin, amoxicillin, aspirin, ibuprofen, naproxen, sulfa, sulfa drugs, sulfonamides,
        codeine, morphine, antibiotics, cephalosporins, iodine, contrast dye, anesthetics, lidocaine, sunscreen,
        hay, legumes, lentils, chickpeas, buckwheat, melon, watermelon, grapes, cherries, plums, carrots, potatoes,
        eggplant, aubergine, peppers, mushrooms, msg, food coloring""",
    """erdnüsse, erdnuss, nüsse, nuss, haselnüsse, haselnuss, walnüsse, walnuss, mandeln, cashewkerne, cashews,
        pistazien, sesam, soja, weizen, gluten, milch, kuhmilch, laktose, fruktose, histamin, ei, eier, hühnerei,
        fisch, meeresfrüchte, schalentiere, krebstiere, garnelen, krabben, muscheln, sellerie, senf, lupinen,
        sulfite, erdbeeren, kiwi, kiwis, äpfel, apfel, pfirsiche, tomaten, zitrusfrüchte, schokolade, zimt,
        knoblauch, zwiebeln, mais, kokos, honig, hefe, pollen, birkenpollen, birke, gräser, gräserpollen, ambrosia,
        haselpollen, hausstaub, hausstaubmilben, milben, schimmel, katzen, katzenhaare, katzenhaar, hunde,
        hundehaare, pferde, tierhaare, federn, wolle, latex, nickel, duftstoffe, parfüm, bienen, bienenstiche,
        bienengift, wespen, wespenstiche, wespengift, insektenstiche, mückenstiche, penicillin, amoxicillin,
        aspirin, ibuprofen, antibiotika, jod, kontrastmittel, hülsenfrüchte, karotten, möhren, ananas, mango,
        avocado, steinobst, buchweizen, paprika""",
    """cacahuetes, cacahuete, cacahuates, maní, frutos secos, nueces, nuez, almendras, avellanas, anacardos,
        pistachos, sésamo, soja, soya, trigo, gluten, leche, lactosa, lácteos, proteína de la leche, fructosa,
        huevo, huevos, pescado, marisco, mariscos, crustáceos, moluscos, gambas, camarones, langosta, apio, mostaza,
        altramuces, sulfitos, fresas, fresa, kiwi, mango, plátano, melocotón, manzana, piña, aguacate, tomate,
        cítricos, chocolate, canela, ajo, cebolla, maíz, coco, miel, levadura, polen, gramíneas, polen de olivo,
        olivo, ácaros, ácaros del polvo, polvo, moho, gatos, pelo de gato, perros, pelo de perro, caballos, plumas,
        lana, látex, níquel, perfume, abejas, picaduras de abeja, avispas, picaduras de avispa, penicilina,
        amoxicilina, aspirina, ibuprofeno, antibióticos, sulfas, sulfamidas, yodo, anestesia, legumbres, lentejas,
        garbanzos, melón, sandía, uvas, cerezas, zanahoria, setas, nolotil, metamizol""",
    """花生, 坚果, 核桃, 杏仁, 腰果, 榛子, 开心果, 芝麻, 大豆, 黄豆, 小麦, 麸质, 面筋, 牛奶, 乳糖, 乳制品, 奶制品,
        鸡蛋, 蛋清, 鱼, 海鲜, 虾, 虾蟹, 螃蟹, 蟹, 贝类, 甲壳类, 芒果, 菠萝, 草莓, 猕猴桃, 桃子, 桃, 苹果, 香蕉,
        西红柿, 番茄, 柑橘, 巧克力, 酒精, 花粉, 柳絮, 杨絮, 尘螨, 灰尘, 粉尘, 霉菌, 猫毛, 狗毛, 猫, 狗, 动物毛发,
        羽毛, 羊毛, 乳胶, 金属, 镍, 香水, 紫外线, 蜜蜂, 蜂毒, 青霉素, 阿莫西林, 头孢, 阿司匹林, 布洛芬, 磺胺,
        磺胺类药物, 抗生素, 碘, 造影剂, 麻药, 麻醉药, 榴莲, 荞麦, 蚕豆, 山药, 蜂蜜, 酵母, 味精, 冷空气, 蚊虫叮咬""",
)

PRONOUNS = _list(
    """she/her, she/her/hers, he/him, he/him/his, they/them, they/them/theirs, she/they, he/they, they/she, they/he,
    ze/zir, xe/xem, ze/hir, it/its, any pronouns, any, she, he, they""",
    "sie/ihr, er/ihm, er/ihn, dey/dem, xier/xiem, sie/ihre, er/sein, keine pronomen, en/en, sier/siem, hen/hen",
    "ella, él, elle, ella/elle, él/elle, ella/ella, él/él, elle/elle, ella/she, ellos, ellas",
    "她, 他, ta, 她/她的, 他/他的, 她/她, 他/他, TA",
)

ZONES = _list(
    """utc, gmt, cet, cest, est, edt, eastern, eastern time, et, cst, cdt, central time, ct, central, mst, mdt,
        mountain time, mt, mountain, pst, pdt, pacific time, pacific, pt, akst, alaska time, hst, hawaii time, bst,
        wet, eet, eest, msk, moscow time, ist, india standard time, jst, japan time, kst, sgt, singapore time, hkt,
        aest, aedt, acst, awst, nzst, nzdt, brt, art, clt, pkt, wib, central european time, eastern european time,
        london time, uk time, new york time, berlin time, tokyo time, beijing time""",
    "mez, mesz, mitteleuropäische zeit, deutsche zeit, hora peninsular, hora central, hora de madrid, hora de méxico",
    "hora de argentina, hora de colombia, hora de chile, hora de perú, hora de canarias, hora canaria, hora del este",
    """北京时间, 东八区, 东京时间, 纽约时间, 伦敦时间, 美东时间, 美西时间, 太平洋时间, 新加坡时间, 东九区, 西五区,
        悉尼时间, 柏林时间""",
)

DATABASES = _list(
    """postgres, postgresql, mysql, mariadb, sqlite, mongodb, mongo, redis, cassandra, couchdb, couchbase, dynamodb,
    firestore, firebase, supabase, neon, planetscale, cockroachdb, cockroach, yugabyte, yugabytedb, tidb, oracle,
    oracle db, sql server, ms sql, mssql, microsoft sql server, db2, clickhouse, duckdb, snowflake, bigquery, redshift,
    elasticsearch, opensearch, neo4j, arangodb, dgraph, influxdb, timescaledb, timescale, questdb, scylladb, scylla,
    rethinkdb, realm, turso, libsql, valkey, memcached, aurora, rds, spanner, cosmos db, cosmosdb, fauna, surrealdb,
    edgedb, singlestore, vitess, leveldb, rocksdb, h2, hbase, firebird, access, 达梦, 人大金仓, oceanbase, polardb,
    greenplum, milvus, qdrant, weaviate, pinecone, mongo atlas, mongodb atlas, aurora postgres, amazon rds, cloud sql,
    postgres 12, postgres 13, postgres 14, postgres 15, postgres 16, postgres 17, postgresql 14, postgresql 15,
    postgresql 16, postgresql 17, mysql 8, mysql 5.7, tdengine, starrocks, doris, d1, cloudflare d1"""
)
FRAMEWORKS = _list(
    """django, flask, fastapi, starlette, tornado, pyramid, rails, ruby on rails, sinatra, hanami, laravel,
        symfony, codeigniter, cakephp, spring, spring boot, quarkus, micronaut, ktor, express, express.js, nestjs,
        nest, next.js, nextjs, next, nuxt, nuxt.js, react, react native, preact, vue, vue.js, vue 3, vue 2, angular,
        angularjs, svelte, sveltekit, solid, solidjs, solidstart, qwik, astro, remix, gatsby, ember, backbone,
        jquery, htmx, alpine, alpine.js, phoenix, phoenix liveview, elixir phoenix, asp.net, asp.net core, blazor,
        .net, .net core, flutter, ionic, electron, tauri, qt, swiftui, uikit, jetpack compose, compose, actix, axum,
        rocket, leptos, yew, gin, echo, fiber, chi, koa, fastify, hono, adonis, meteor, play, akka, vaadin,
        litestar, streamlit, gradio, dash, hugo, jekyll, eleventy, tailwind, bootstrap, unity, unreal, unreal
        engine, godot, bevy, uni-app, taro, thinkphp, hyperf, springboot, egg.js, midway, beego, kratos, pytorch,
        tensorflow, wordpress, drupal, grails"""
)
PACKAGE_MANAGERS = _list(
    """npm, pnpm, yarn, yarn berry, bun, pip, pipenv, poetry, uv, conda, mamba, micromamba, pdm, hatch, rye, pixi,
        cargo, maven, gradle, sbt, nuget, composer, bundler, gem, rubygems, mix, hex, cocoapods, swift package
        manager, spm, carthage, homebrew, brew, nix, apt, apt-get, pacman, dnf, yum, zypper, apk, choco, chocolatey,
        scoop, winget, go modules, go mod, deno, lerna, rush, vcpkg, conan, pip-tools, asdf, mise, cabal, stack,
        opam, leiningen, rebar3, spack, cnpm, ivy, pacman, flatpak, snap, bazel"""
)
CI = _list(
    """github actions, gitlab ci, gitlab ci/cd, gitlab, jenkins, circleci, circle ci, travis, travis ci, azure
        devops, azure pipelines, bitbucket pipelines, teamcity, bamboo, buildkite, drone, drone ci, woodpecker,
        woodpecker ci, concourse, appveyor, semaphore, semaphore ci, codefresh, argo, argo cd, argo workflows,
        argocd, tekton, gocd, spinnaker, harness, aws codebuild, codebuild, codepipeline, aws codepipeline, cloud
        build, google cloud build, forgejo actions, gitea actions, cirrus ci, cirrus, dagger, earthly, bitrise,
        codemagic, xcode cloud, zuul, prow, sourcehut builds, builds.sr.ht, codeship, wercker, github, 云效, 流水线,
        coding, gitee go, blue ocean, buildbot, depot, blacksmith, hudson"""
)
LICENSES = _list(
    """mit, the mit license, mit license, mit licence, apache, apache 2.0, apache-2.0, apache 2, apache license
        2.0, apache license, gpl, gplv2, gplv3, gpl v2, gpl v3, gpl-3.0, gpl 3, gpl 2, gnu gpl, lgpl, lgplv3, lgpl
        v3, agpl, agplv3, agpl v3, agpl-3.0, bsd, bsd 2-clause, bsd 3-clause, bsd-2-clause, bsd-3-clause, 3-clause
        bsd, 2-clause bsd, isc, mpl, mpl 2.0, mpl-2.0, mozilla public license, epl, epl 2.0, eclipse public license,
        cc0, cc by, cc-by, cc by 4.0, cc-by-4.0, cc by-sa, cc-by-sa, cc by-sa 4.0, cc by-nc, creative commons,
        unlicense, the unlicense, wtfpl, zlib, boost, bsl, bsl 1.1, business source license, sspl, elastic license,
        proprietary, public domain, closed source, eupl, eupl 1.2, artistic license, cddl, osl, ms-pl, 木兰,
        木兰许可证, mulan, proprietär, propietaria, propietario, dominio público, eupl-1.2, blueoak, 0bsd, bsd-3,
        bsd-2"""
)
TARGETS = _list(
    """aws, amazon web services, aws lambda, lambda, ec2, aws ec2, ecs, aws ecs, eks, fargate, aws fargate,
        lightsail, elastic beanstalk, app runner, s3, cloudfront, gcp, google cloud, google cloud run, cloud run,
        app engine, gke, google kubernetes engine, compute engine, cloud functions, azure, azure app service, azure
        functions, aks, azure container apps, heroku, vercel, netlify, render, railway, fly.io, fly, digitalocean,
        digital ocean, linode, akamai, vultr, hetzner, hetzner cloud, ovh, ovhcloud, scaleway, upcloud, ionos,
        strato, contabo, cloudflare, cloudflare workers, cloudflare pages, deno deploy, github pages, gitlab pages,
        firebase, firebase hosting, surge, dokku, coolify, caprover, kubernetes, k8s, k3s, openshift, nomad, docker
        swarm, swarm, raspberry pi, a raspberry pi, on-prem, on prem, bare metal, our own servers, our own server,
        own servers, oracle cloud, ibm cloud, alibaba cloud, aliyun, tencent cloud, huawei cloud, platform.sh,
        pythonanywhere, appwrite, supabase, amplify, aws amplify, dokploy, kamal, hugging face spaces, clever cloud,
        exoscale, infomaniak, open telekom cloud, vps, a vps, nomad cluster, stackit, uberspace, 1&1, all-inkl,
        hostinger, dreamhost, 阿里云, 腾讯云, 华为云, 百度云, 火山引擎, 京东云, 七牛云, ucloud, 自建机房,
        自己的服务器, 本地服务器, 树莓派, 青云, 天翼云, 移动云, 亚马逊云, 谷歌云, 微软云, un vps, un vps de ovh, vps
        de ovh, arsys, nuestros servidores, nuestros propios servidores, servidores propios, eigene server, eigenen
        servern, eigenem server, unseren eigenen servern, k8s-cluster, kubernetes-cluster"""
)
RUNTIMES = _list(
    """python, node, node.js, nodejs, java, jdk, openjdk, go, golang, rust, ruby, php, kotlin, scala, swift, c++,
        c#, .net, dotnet, elixir, erlang, typescript, ts, javascript, deno, bun, perl, lua, julia, haskell, ghc,
        dart, zig, ocaml, clojure, r, groovy, f#, crystal, nim, fortran, cobol, gcc, clang, es, ecmascript""",
    """c++11, c++14, c++17, c++20, c++23, java8, java11, java17, java21, php8, python3, c99, c11, c89, es6, es2020,
        jdk8, jdk11, jdk17, jdk21, c++98""",
)

COMPANIES = _list(
    """google, microsoft, apple, amazon, meta, facebook, netflix, tesla, ibm, intel, nvidia, oracle, sap, siemens,
        bosch, bmw, volkswagen, vw, audi, mercedes, porsche, lufthansa, dhl, aldi, lidl, rewe, edeka, ikea, spotify,
        nokia, ericsson, samsung, sony, toyota, honda, airbus, boeing, uber, airbnb, stripe, shopify, dropbox, zara,
        inditex, mercadona, telefónica, santander, bbva, 阿里, 阿里巴巴, 腾讯, 百度, 字节, 字节跳动, 华为, 小米,
        京东, 美团, 拼多多, 网易, 携程, 滴滴, 快手, 小红书, 哔哩哔哩, b站, 联想, 中兴, 大疆, 比亚迪, 蔚来, 理想,
        小鹏, 谷歌, 微软, 苹果, 亚马逊, 英特尔, 英伟达, 特斯拉, telekom, deutsche telekom, charité, bundeswehr,
        caritas, vodafone, o2, thyssenkrupp, basf, bayer, continental, zf, infineon, deutsche bahn, deutsche bank,
        commerzbank, sparkasse, allianz, otto, zalando, adidas, puma, kaufland, dm, rossmann, ocado, tesco, walmart,
        target, costco, starbucks, mcdonald's, openai, anthropic, deepmind, mozilla, github, gitlab, red hat, cisco,
        vmware, salesforce, adobe, autodesk, pixar, disney, nasa, esa, cern, nhs, bbc, cnn, klarna, monzo, revolut,
        deloitte, kpmg, ey, pwc, mckinsey, accenture, seat, repsol, iberia, renfe, correos, glovo, cabify, vodafone,
        movistar, el corte inglés, 招商银行, 工商银行, 建设银行, 中国银行, 平安, 顺丰, 中石油, 国家电网, 中国移动,
        中国电信, 新浪, 搜狐, 搜狗, 知乎, 微信, 蚂蚁金服, 医院, 银行, 学校"""
)

PLACES = _list(
    """london, paris, berlin, madrid, rome, vienna, prague, warsaw, budapest, lisbon, dublin, amsterdam, brussels,
        copenhagen, stockholm, oslo, helsinki, athens, istanbul, ankara, moscow, kyiv, kiev, barcelona, valencia,
        seville, porto, milan, naples, turin, florence, venice, munich, hamburg, cologne, frankfurt, stuttgart,
        düsseldorf, leipzig, dresden, zurich, geneva, basel, bern, lyon, marseille, toulouse, nice, bordeaux,
        nantes, lille, manchester, liverpool, birmingham, leeds, glasgow, edinburgh, bristol, cardiff, belfast, new
        york, new york city, nyc, los angeles, chicago, houston, phoenix, philadelphia, san antonio, san diego,
        dallas, austin, san jose, san francisco, seattle, denver, boston, portland, atlanta, miami, detroit,
        minneapolis, las vegas, washington, nashville, toronto, montreal, vancouver, calgary, ottawa, mexico city,
        guadalajara, monterrey, bogotá, bogota, medellín, medellin, lima, quito, santiago, buenos aires, montevideo,
        são paulo, sao paulo, rio de janeiro, rio, caracas, havana, tokyo, osaka, kyoto, seoul, busan, beijing,
        shanghai, shenzhen, guangzhou, hong kong, taipei, singapore, kuala lumpur, bangkok, hanoi, ho chi minh city,
        saigon, jakarta, manila, delhi, new delhi, mumbai, bangalore, bengaluru, chennai, hyderabad, pune, kolkata,
        karachi, lahore, dhaka, colombo, kathmandu, dubai, abu dhabi, doha, riyadh, tel aviv, jerusalem, cairo,
        alexandria, casablanca, tunis, lagos, accra, nairobi, addis ababa, cape town, johannesburg, sydney,
        melbourne, brisbane, perth, auckland, wellington, germany, france, spain, italy, portugal, austria,
        switzerland, england, scotland, wales, ireland, the netherlands, netherlands, belgium, denmark, sweden,
        norway, finland, iceland, poland, the czech republic, hungary, romania, bulgaria, greece, turkey, russia,
        ukraine, the uk, uk, the us, the usa, usa, the united states, the united kingdom, canada, mexico, brazil,
        argentina, chile, peru, colombia, ecuador, uruguay, cuba, japan, china, south korea, korea, taiwan, india,
        pakistan, bangladesh, nepal, thailand, vietnam, indonesia, malaysia, the philippines, australia, new
        zealand, egypt, morocco, nigeria, kenya, ethiopia, ghana, south africa, israel, saudi arabia, iran, iraq,
        california, texas, florida, tallinn, riga, vilnius, tulsa, rotterdam""",
    """köln, münchen, wien, zürich, genf, nürnberg, bremen, hannover, dortmund, essen, duisburg, bochum, wuppertal,
        bielefeld, bonn, münster, karlsruhe, mannheim, augsburg, wiesbaden, freiburg, kiel, lübeck, erfurt, mainz,
        rostock, kassel, potsdam, graz, linz, salzburg, innsbruck, luzern, deutschland, österreich, schweiz,
        frankreich, spanien, italien, paris, rom, mailand, prag, warschau""",
    """sevilla, zaragoza, málaga, murcia, bilbao, granada, córdoba, alicante, vigo, gijón, oviedo, salamanca,
        burgos, londres, parís, berlín, roma, lisboa, ciudad de méxico, cdmx, puebla, cali, cartagena, arequipa,
        cuenca, rosario, mendoza, la plata, la paz, españa, alemania, francia, italia, méxico, argentina, colombia,
        perú, santo domingo, san juan, san salvador, tegucigalpa, managua, panamá, asunción""",
    """北京, 上海, 广州, 深圳, 杭州, 南京, 苏州, 成都, 重庆, 武汉, 西安, 天津, 长沙, 郑州, 青岛, 大连, 沈阳,
        哈尔滨, 长春, 济南, 厦门, 福州, 宁波, 温州, 无锡, 合肥, 南昌, 昆明, 贵阳, 南宁, 海口, 三亚, 拉萨, 兰州,
        西宁, 银川, 乌鲁木齐, 石家庄, 太原, 呼和浩特, 珠海, 佛山, 东莞, 中山, 惠州, 汕头, 绵阳, 桂林, 洛阳, 扬州,
        徐州, 常州, 南通, 嘉兴, 绍兴, 金华, 义乌, 烟台, 威海, 保定, 唐山, 香港, 澳门, 台北, 台中, 高雄, 台湾,
        新加坡, 东京, 大阪, 京都, 首尔, 曼谷, 清迈, 吉隆坡, 雅加达, 河内, 马尼拉, 新德里, 孟买, 迪拜, 伦敦, 巴黎,
        柏林, 慕尼黑, 法兰克福, 汉堡, 罗马, 米兰, 马德里, 巴塞罗那, 里斯本, 阿姆斯特丹, 布鲁塞尔, 维也纳, 苏黎世,
        日内瓦, 布拉格, 华沙, 莫斯科, 斯德哥尔摩, 奥斯陆, 哥本哈根, 赫尔辛基, 都柏林, 爱丁堡, 曼彻斯特, 纽约,
        洛杉矶, 旧金山, 西雅图, 波士顿, 芝加哥, 休斯顿, 硅谷, 华盛顿, 多伦多, 温哥华, 蒙特利尔, 悉尼, 墨尔本,
        奥克兰, 开罗, 内罗毕, 开普敦, 圣保罗, 里约热内卢, 布宜诺斯艾利斯, 墨西哥城, 德国, 法国, 英国, 美国, 日本,
        韩国, 加拿大, 澳大利亚, 澳洲, 新西兰, 意大利, 西班牙, 荷兰, 瑞士, 瑞典, 泰国, 越南, 马来西亚, 印度, 广东,
        浙江, 江苏, 四川, 山东, 河南, 河北, 湖南, 湖北, 福建, 江西, 安徽, 云南, 贵州, 广西, 海南, 陕西, 山西, 甘肃,
        辽宁, 吉林, 黑龙江, 内蒙古, 新疆, 西藏, 宁夏, 青海""",
)
NO_PLACES = _list(
    """angst, frieden, armut, untermiete, miete, trennung, scheidung, sünde, hoffnung, harmonie, saus und braus,
        sorge, zukunft, luft, mitte, gedanken, vergangenheit, erinnerungen, paz, god, christ, hope, fear, cloud,
        nature, the cloud, wohnung, haus, stadt, dorf, wg, altbau, neubau, zelt, hotel, wohnwagen,
        wolkenkuckucksheim, fear of god, untermieter, eile, rente, teilzeit, vollzeit, elternzeit, urlaub,
        quarantäne, gedankenwelt, hochhaus, erdgeschoss, dachgeschoss, keller, heim, wohnheim, studentenwohnheim,
        mordor, hogwarts, narnia, neverland, wonderland, atlantis, middle-earth, disneyland, la la land""",
)
CALENDAR = _list(
    """january, february, march, april, may, june, july, august, september, october, november, december, monday,
        tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays, wednesdays, thursdays, fridays,
        saturdays, sundays, spring, summer, autumn, winter, christmas, easter, today, tomorrow, tonight, januar,
        februar, märz, mai, juni, juli, oktober, dezember, montag, montage, dienstag, mittwoch, donnerstag, freitag,
        samstag, sonntag, sommer, herbst, frühling, weihnachten, enero, febrero, marzo, abril, mayo, junio, julio,
        agosto, septiembre, octubre, noviembre, diciembre, lunes, martes, miércoles, jueves, viernes, sábado,
        domingo"""
)
NO_ORGS = _list(
    """home, night, nights, the moment, weekends, present, once, all, least, christmas, peace, work, school, the
        office, university, uni, 学校, 公司, 家里, 单位, nacht, hause, zuhause, pc, computer, projekt, homeoffice,
        home office, app, ui, api, mvp, ai, ki, ml"""
)
NO_NAMES = _list(
    """american, british, english, german, french, spanish, italian, portuguese, brazilian, mexican, indian,
        chinese, japanese, korean, canadian, australian, dutch, irish, scottish, welsh, swedish, norwegian, danish,
        finnish, polish, russian, ukrainian, turkish, greek, swiss, austrian, belgian, african, asian, european,
        latino, latina, jewish, muslim, catholic, hindu, buddhist, black, white, gay, lesbian, bi, trans, queer,
        nonbinary, adhd, autistic, vegan, vegetarian, sorry, here, back, ok, okay, fine, good, great, happy, sad,
        tired, sick, late, ready, done, sure, glad, afraid, available, busy, free, new, single, married, divorced,
        pregnant, lost, stuck, home, online, in, on, at, not, just, so, very, too, the, a, an, your, my, this, that,
        he, she, it, they, we, you, i, who, what, king, queen, god, batman, superman, spiderman, santa, captain,
        napoleon, deutscher, deutsche, österreicher, österreicherin, schweizer, schweizerin, türke, spanier,
        franzose, italiener, gast, kunde, kundin, krank, müde, da, hier, zurück, dran, froh, sicher, dabei, fertig,
        weg, raus, online, single, vater, mutter, opa, oma, papa, mama, vegetarier, vegetarierin, veganer,
        veganerin, student, studentin, rentner, rentnerin, anfänger, anfängerin, mutti, fan, español, española,
        mexicano, mexicana, argentino, argentina, colombiano, colombiana, chileno, chilena, peruano, alemán,
        alemana, inglés, inglesa, yo, tu, tú, madre, padre, nadie, alguien, feliz, médico, médica, celíaco, celíaca,
        autónomo, madrileño, catalán, dios, monday, tuesday, wednesday, thursday, friday, saturday, sunday, later,
        tomorrow, maybe, crazy, old, mom, mum, dad, ishmael, back, when, if, asap, mañana, luego, cuando, loco,
        morgen, später, wenn, an, mal, bitte, alle, everyone, nobody, someone, people, ai, pm, am, cto, ceo, hr, it,
        norwegian, czech, hungarian, romanian, vietnamese, thai, filipino, finnish-speaking, team, android, windows,
        linux, mac, python, java, captain vex, type, not"""
)
RULE_WORDS = _list(
    """branch, branches, main, master, develop, trunk, pr, prs, merge, merges, rebase, rebased, squash, pull
        requests, rama, ramas, feature-branches, release-branch, feature-branch, branch-namen, hotfix, hotfixes"""
)
RULE_SIGNS = (
    "pull request",
    "feature branch",
    "release branch",
    "分支",
    "主干",
    "合并",
    "main branch",
    """
    master branch""",
)
BINDING = _list(
    """never, always, only, must, nobody, all, every, no, protected, without, needs, need, require, requires,
        required, through, via, nunca, siempre, nadie, pasa, pasan, entra, entran, solo, sólo, nie, niemals, immer,
        nur, niemand, alle, jeder, müssen, muss, geschützt, protegida, brauchen, braucht, necesita, necesitan,
        prohibido, requieren, requiere, via, über, forbidden, allowed, ohne, sin"""
)
BINDING_SIGNS = ("no one", "先", "必须", "都", "不能", "不准", "禁止", "只能", "不允许", "要", "不许", "一律")
FIRST_NAMES = frozenset(
    _spaced(
        """aaron abigail adam adrián agustín ahmed aisha alan alba albert alberto alejandro alex alexander alexis
            alfonso ali alice alicia amanda amber amelie amina amit amy ana andrea andreas andrew andrés angela anja
            anjali ann anna annika anthony antje anton antonia antonio arjun arthur arturo ashley astrid austin ava
            barbara beatriz ben benjamin bernd betty beverly billy birgit björn bob bobby brandon brenda brian brigitte
            brittany bruce bruno bryan camila carl carla carlos carmen carol carolyn catherine charles charlotte chen
            cheryl chloe chris christian christina christine christopher clara claudia concepción cristina cynthia dan
            daniel daniela danielle dave david deborah debra deepa denise dennis dev diana diane diego dieter dirk
            dolores dominik donald donna doris dorothy douglas dylan eduardo edward elena elias elijah elizabeth elke
            ella emil emilia emilio emily emma enrique eric ernesto erwin esteban ethan eugene eva evelyn fabian fatima
            felipe felix fernanda fernando finn florian frances francesca francisca francisco frank franziska frauke
            freya frieda friederike friedrich gabriel gabriela gabriele gary george gerhard germán gisela giulia gloria
            gonzalo grace greg gregory greta guillermo gustavo günter hana hanna hannah hans hassan heather heike heiko
            heinz helga helmut henrik henry hernán hiro holger horst hugo héctor ibrahim ida ignacio ines inga ingrid
            inés irene isabel isabella ivan iván jack jacob jacqueline jaime jakob james jan jana janet janice jason
            javier jean jeff jeffrey jennifer jens jeremy jerry jesse jessica jesús jim jin joan joaquín joe johanna
            johannes john jonas jonathan jordan jorge jose josefa joseph josh joshua josé joyce juan judith judy jule
            julia julian julie justin jörg jürgen kai karen karim karin karl katharina katherine kathleen kathrin
            kathryn katrin kayla keith kelly ken kenneth kerstin kevin khalid kimberly klaus kyle lara larry lars laura
            lauren lawrence lea leila lena leo leon leonie liam lin linda ling lisa logan lola lorena lorenzo lori louis
            luca lucas lucy lucía luis luisa lukas luke madison maja malte manfred manuel marco marcos margaret
            margarita maria marie marilyn marina mario mark markus marta martha martin martina martín mary maría mason
            mateo mathilda matt matteo matthew matthias max meera megan mei meike melanie melissa mercedes mia michael
            michelle miguel mike ming miriam mohammed monika montserrat moritz muhammad mónica nacho nancy natalia
            natalie nathan nele nicholas nick nicole nicolás niklas noa noah noelia noor nora nuria olaf ole oliver
            olivia omar oscar otto pablo paco paloma pamela paolo patricia patrick paul paula pedro pepe peter petra
            philip philipp pia pilar priya quique rachel rafael rahul raj ralf ralph ramón randy raquel ravi raymond
            raúl rebecca renata renate ricardo richard rike robert roberto rocío rodrigo roger rohan rolf ronald rosa
            rosario roy rubén russell ruth ryan sabine sakura salvador sam samantha samuel sandra sanjay santiago sara
            sarah scott sean sebastian sergio sharon shirley silke silvia simon sofia sofía sonia sophia sophie stefan
            stefanie stephanie stephen steve steven susan susana susanne sven svenja tanja teresa terry theo theresa
            thomas till tim timothy tina tobias tom tomás toni tony torsten tyler ulrike ursula ute uwe valentina
            valeria vega verónica vicente victoria vikram vincent virginia víctor walter wayne wei wiebke william willie
            wolfgang ximena yasmin yolanda yuki yusuf zachary zoe álvaro ángel ángela óscar"""
    )
)
SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高罗羅郑鄭梁谢謝宋唐许許邓鄧冯馮韩韓曹曾彭萧蕭蔡潘田董袁于余叶葉蒋蔣杜苏蘇魏程吕呂丁沈任姚卢盧"
    "傅钟鐘姜崔谭譚廖范汪陆陸金石戴贾賈韦韋夏邱方侯邹鄒熊孟秦白江阎薛尹段雷黎史龙龍陶贺賀顾顧毛郝龚邵万钱錢严嚴武莫孔汤湯章林温施洪庄倪小阿老"
)
SCHOOL_WORDS = (
    "universit",
    "hochschule",
    "college",
    "school",
    "institute",
    "academy",
    "polytechnic",
    "universidad",
    "facultad",
    "instituto",
    "escuela",
    "politécnica",
    "uni ",
    "tu ",
    "fh ",
    "gymnasium",
    "akademie",
    "大学",
    "学院",
    "中学",
    "高中",
    "职高",
)
SCHOOLS = _list(
    """harvard, stanford, mit, yale, princeton, oxford, cambridge, eth, eth zürich, epfl, lmu, tum, rwth, kit, fu
        berlin, hu berlin, ucla, ucl, berkeley, caltech, cornell, columbia, waterloo, mcgill, complutense, unam,
        uba, uned, upm, upc, 清华, 北大, 复旦, 浙大, 武大, 交大, 上交, 南大, 中大, 人大, 北师大, 华科, 同济, 哈工大,
        中科大, 厦大, 川大, 南开, 天大, 西交"""
)
