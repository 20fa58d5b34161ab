"""Names of places, employers, schools, zones and people, and words that only look like names."""

from __future__ import annotations

from .wordlists import listed, spaced

ZONES = listed(
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
COMPANIES = listed(
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
        中国电信, 新浪, 搜狐, 搜狗, 知乎, 微信, 蚂蚁金服, 医院, 银行"""
)
PLACES = listed(
    """türkei, slowakei, mongolei, niederlande, niederlanden, dominikanische republik, albacete, almería, andorra,
        aranjuez, ávila, badajoz, bahía blanca, barranquilla, bucaramanga, cáceres, cádiz, callao, cancún,
        castellón, chihuahua, ciudad real, concepción, cuernavaca, culiacán, cusco, donostia, elche, ferrol, getafe,
        girona, guadalajara, guayaquil, hermosillo, huelva, huesca, ibiza, jaén, jerez, la coruña, a coruña, las
        palmas, león, lérida, lleida, logroño, lugo, mallorca, palma, mar del plata, maracaibo, marbella, mérida,
        mexicali, monterrey, morelia, móstoles, neuquén, oaxaca, ourense, palencia, pamplona, pereira, pontevedra,
        puerto montt, querétaro, reus, sabadell, salta, san luis potosí, san sebastián, santa cruz, santander, santa
        fe, segovia, soria, tarragona, tenerife, teruel, tijuana, toledo, toluca, torreón, trujillo, tucumán,
        valdivia, valladolid, valparaíso, veracruz, vitoria, zamora, aachen, bamberg, bayreuth, braunschweig,
        chemnitz, cottbus, darmstadt, gelsenkirchen, gera, gießen, görlitz, göttingen, halle, hagen, heidelberg,
        heilbronn, hildesheim, ingolstadt, jena, kaiserslautern, klagenfurt, koblenz, konstanz, krefeld,
        ludwigshafen, magdeburg, marburg, mönchengladbach, oldenburg, osnabrück, paderborn, passau, pforzheim,
        regensburg, reutlingen, saarbrücken, schwerin, siegen, solingen, st. gallen, trier, tübingen, ulm, weimar,
        winterthur, wolfsburg, worms, würzburg, villach, bregenz, lausanne, aberdeen, albuquerque, anchorage,
        antwerp, baltimore, bath, bergen, boise, brighton, brno, bruges, buffalo, cambridge, canberra, charlotte,
        christchurch, cincinnati, cleveland, columbus, cork, coventry, darwin, des moines, dundee, durban, durham,
        edmonton, eindhoven, exeter, fresno, galway, gdańsk, gent, ghent, gothenburg, graz, groningen, halifax,
        hobart, honolulu, indianapolis, jacksonville, kampala, kansas city, kraków, krakow, leicester, leuven,
        limerick, ljubljana, louisville, lviv, maastricht, madison, malmö, memphis, milwaukee, minsk, nagoya, new
        orleans, newcastle, norwich, nottingham, oakland, odessa, oklahoma city, omaha, orlando, osaka, oxford,
        pittsburgh, plymouth, poznań, pretoria, providence, québec, quebec city, raleigh, reykjavik, richmond,
        sacramento, salt lake city, sapporo, sarajevo, sheffield, skopje, sofia, southampton, spokane, st. louis,
        tampa, tbilisi, thessaloniki, tirana, trondheim, tucson, turku, utrecht, victoria, winnipeg, wrocław, york,
        zagreb, zug, london, paris, berlin, madrid, rome, vienna, prague, warsaw, budapest, lisbon, dublin,
        amsterdam, brussels, copenhagen, stockholm, oslo, helsinki, athens, istanbul, ankara, moscow, kyiv, kiev,
        barcelona, valencia, seville, porto, milan, naples, turin, florence, venice, munich, hamburg, cologne,
        frankfurt, stuttgart, düsseldorf, leipzig, dresden, zurich, geneva, basel, bern, lyon, marseille, toulouse,
        nice, bordeaux, nantes, lille, manchester, liverpool, birmingham, leeds, glasgow, edinburgh, bristol,
        cardiff, belfast, new york, new york city, nyc, los angeles, chicago, houston, phoenix, philadelphia, san
        antonio, san diego, dallas, austin, san jose, san francisco, seattle, denver, boston, portland, atlanta,
        miami, detroit, minneapolis, las vegas, washington, nashville, toronto, montreal, vancouver, calgary,
        ottawa, mexico city, guadalajara, monterrey, bogotá, bogota, medellín, medellin, lima, quito, santiago,
        buenos aires, montevideo, são paulo, sao paulo, rio de janeiro, rio, caracas, havana, tokyo, osaka, kyoto,
        seoul, busan, beijing, shanghai, shenzhen, guangzhou, hong kong, taipei, singapore, kuala lumpur, bangkok,
        hanoi, ho chi minh city, saigon, jakarta, manila, delhi, new delhi, mumbai, bangalore, bengaluru, chennai,
        hyderabad, pune, kolkata, karachi, lahore, dhaka, colombo, kathmandu, dubai, abu dhabi, doha, riyadh, tel
        aviv, jerusalem, cairo, alexandria, casablanca, tunis, lagos, accra, nairobi, addis ababa, cape town,
        johannesburg, sydney, melbourne, brisbane, perth, auckland, wellington, germany, france, spain, italy,
        portugal, austria, switzerland, england, scotland, wales, ireland, the netherlands, netherlands, belgium,
        denmark, sweden, norway, finland, iceland, poland, the czech republic, hungary, romania, bulgaria, greece,
        turkey, russia, ukraine, the uk, uk, the us, the usa, usa, the united states, the united kingdom, canada,
        mexico, brazil, argentina, chile, peru, colombia, ecuador, uruguay, cuba, japan, china, south korea, korea,
        taiwan, india, pakistan, bangladesh, nepal, thailand, vietnam, indonesia, malaysia, the philippines,
        australia, new zealand, egypt, morocco, nigeria, kenya, ethiopia, ghana, south africa, israel, saudi arabia,
        iran, iraq, california, texas, florida, tallinn, riga, vilnius, tulsa, rotterdam""",
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
NO_PLACES = listed(
    """mars, the moon, venus, saturn, jupiter, pluto, krypton, angst, frieden, armut, untermiete, miete, trennung,
        scheidung, sünde, hoffnung, harmonie, saus und braus, sorge, zukunft, luft, mitte, gedanken, vergangenheit,
        erinnerungen, paz, god, christ, hope, fear, cloud, nature, the cloud, wohnung, haus, stadt, dorf, wg,
        altbau, neubau, zelt, hotel, wohnwagen, wolkenkuckucksheim, fear of god, untermieter, eile, rente, teilzeit,
        vollzeit, elternzeit, urlaub, quarantäne, gedankenwelt, hochhaus, erdgeschoss, dachgeschoss, keller, heim,
        wohnheim, studentenwohnheim, mordor, hogwarts, narnia, neverland, wonderland, atlantis, middle-earth,
        disneyland, la la land""",
)
CALENDAR = listed(
    """january, february, march, april, may, june, july, august, september, october, november, december, monday,
        tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays, wednesdays, thursdays, fridays,
        saturdays, sundays, spring, summer, autumn, winter, christmas, easter, today, tomorrow, tonight, januar,
        februar, märz, mai, juni, juli, oktober, dezember, montag, montage, dienstag, mittwoch, donnerstag, freitag,
        samstag, sonntag, sommer, herbst, frühling, weihnachten, enero, febrero, marzo, abril, mayo, junio, julio,
        agosto, septiembre, octubre, noviembre, diciembre, lunes, martes, miércoles, jueves, viernes, sábado,
        domingo"""
)
NO_ORGS = listed(
    """regen, schnee, hitze, kälte, tageslicht, sonnenschein, kerzenlicht, dunkelheit, wind, monday, home, night,
        nights, the moment, weekends, present, once, all, least, christmas, peace, work, school, the office,
        university, uni, 学校, 公司, 家里, 单位, nacht, hause, zuhause, pc, computer, projekt, homeoffice, home
        office, app, ui, api, mvp, ai, ki, ml"""
)
NO_NAMES = listed(
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
    "uni ", "-uni",
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
SCHOOLS = listed(
    """harvard, stanford, mit, yale, princeton, oxford, cambridge, eth, eth zürich, epfl, lmu, tum, rwth, kit, fu
        berlin, hu berlin, ucla, ucl, berkeley, caltech, cornell, columbia, waterloo, mcgill, complutense, unam,
        uba, uned, upm, upc, 清华, 北大, 复旦, 浙大, 武大, 交大, 上交, 南大, 中大, 人大, 北师大, 华科, 同济, 哈工大,
        中科大, 厦大, 川大, 南开, 天大, 西交"""
)
FIRST_NAMES = frozenset(
    spaced(
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
