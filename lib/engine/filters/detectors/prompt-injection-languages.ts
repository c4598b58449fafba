import { gap, phrases, type Family } from "./prompt-injection-phrases";

/** Override and extraction phrases in languages other than English, without accents, as in the views. */
export const LANGUAGE_FAMILIES: readonly Family[] = [
  phrases(
    "instruction_override",
    // Spanish, Portuguese, Italian
    `(?:ignor(?:a|e|ad|en|ate|ar)|olvid(?:a|e|ad|en)(?:te)?|omite|descarta|esquec(?:a|e)|desconsidere|dimentica(?:te)?|trascura|scorda)${gap(3)} (?:instrucciones|reglas|indicaciones|directrices|ordenes|instrucoes|regras|diretrizes|ordens|istruzioni|regole|direttive|prompt)(?: (?:anterior|previ|precedent|acima|de arriba|dadas|que)[a-z]{0,5}| acima| sopra)`,
    `(?:ignor(?:a|e|ad|en|ate)|olvid(?:a|e|ad|en)|esquec(?:a|e)|desconsidere|dimentica(?:te)?)(?: (?:de|todas|todos|tutte|tutti|tutto|las|os|as|le|seus|suas)){0,3} (?:tus|sus|tuas|suas|tue|tutte le|todas las|todas as|vuestras)(?: [a-z]{1,14}){0,1} (?:instrucciones|reglas|instrucoes|regras|istruzioni|regole)`,
    `(?:olvida|olvide|olvidar|olviden|ignora|ignore|ignoren) todo(?: lo)? (?:que (?:te|yo|dije|digo|sabes|he|has|hemos|se)|anterior)`,
    `(?:no (?:hagas|haga) caso (?:a|de)|haz caso omiso (?:a|de)|pasa por alto)${gap(2)} (?:instrucciones|reglas|indicaciones)`,
    `(?:esqueca|ignore|ignora) tudo (?:o que|acima|anterior|que)`,
    `(?:dimentica|ignora) tutto (?:quello|cio|prima|quanto)`,
    // French
    `(?:ignore[rz]?|oublie[rz]?|neglige[rz]?)${gap(3)} (?:instructions|consignes|regles|directives) (?:precedentes|anterieures|ci dessus|initiales|donnees)`,
    `(?:ignore[rz]?|oublie[rz]?)(?: toutes)? (?:tes|vos|toutes les) (?:instructions|consignes|regles|directives)`,
    `(?:ignore[rz]?|oublie[rz]?)${gap(2)} (?:precedentes|anterieures) (?:instructions|consignes|regles|directives)`,
    `(?:oublie[rz]?|ignore[rz]?) tout(?: ce){0,1} (?:qui precede|que|avant|ce)`,
    `(?:ne (?:tiens|tenez|suis|suivez|respecte|respectez)(?: plus| pas)(?: compte)?|fais abstraction|faites abstraction)${gap(3)} (?:instructions|consignes|regles|directives)`,
    `(?:nouvelles|voici (?:tes|vos|de) nouvelles) (?:instructions|consignes) :`,
    // German, Dutch
    `(?:ignorier(?:e|en)?|vergiss|vergesst|missachte|ubergeh(?:e)?|negeer|vergeet)(?! nicht)(?: (?:sie|bitte|jetzt|einfach|die|deine|ihre|meine|de|je))*(?: [a-z]{1,14})? (?:alle[rn]?|samtliche[rn]?|bisherigen?|vorherigen?|vorigen?|fruheren?|obigen?|deine|vorige|eerdere|bovenstaande)${gap(2)} (?:anweisungen|instruktionen|regeln|vorgaben|befehle|instructies|regels|opdrachten)`,
    // Turkish, Indonesian, Vietnamese, Czech, Croatian and Serbian; transcribed Hindi and Urdu
    `(?:onceki|yukaridaki|yukarıdaki|tum|butun|verilen|eski)(?: [^ .:]{1,20}){0,2} (?:talimat|komut|kural|yonerge|emir|direktif)[^ .:]{0,10}(?: [^ .:]{1,16}){0,2} (?:unut|gormezden|yok say|dikkate alma|goz ardi|goz ardı|yoksay|uyma|iptal)[^ .:]{0,10}`,
    `(?:her seyi|soylediklerimi|talimatlari|talimatları) (?:unut|yok say|gormezden gel)[^ .:]{0,6}`,
    `(?:abaikan|lupakan|hiraukan|jangan (?:ikuti|hiraukan|patuhi))${gap(2)} (?:instruksi|perintah|aturan|arahan|petunjuk|pedoman)`,
    `(?:abaikan|lupakan) (?:semua(?:nya)? |segala )?(?:yang|apa)${gap(3)} (?:sebelumnya|di atas|tadi)`,
    `(?:bo qua|phot lo|quen|huy bo|khong tuan theo|dung lam theo)(?: [^ .:]{1,8}){0,5} (?:huong dan|chi dan|chi thi|lenh|quy tac|yeu cau)`,
    `(?:ignoruj(?:te)?|zapomen(?:te)?|zanedbej(?:te)?|prehlizej(?:te)?|nerid(?:te)? se)${gap(3)} (?:pokyn[ya]?|instrukce|prikaz[y]?|pravidl[a]?|pokynu|instrukci)`,
    `(?:ignoriraj(?:te)?|zaboravi(?:te)?|zanemari(?:te)?)${gap(2)} (?:instrukcij[ea]|upute|uputstva|naredbe|pravila)`,
    `(?:pichhl[eai]|pichle|pehle|sabhi|saare|purane|tamam|pichli)(?: [^ .:]{1,14}){0,3} (?:nirdesh|instructions?|hidayat|aadesh|rules)[^ .:]{0,4}(?: [^ .:]{1,10}){0,2} (?:ignore|bhool|bhul|andekha|nazar ?andaz|nazarandaz)[^ .:]{0,4}`,
    // Polish, Russian
    `(?:zignoruj|ignoruj|zapomnij)${gap(3)} (?:instrukcj[ei]|polecenia|zasady|reguly)`,
    `(?:(?:про)?игнорируи(?:те)?|забудь(?:те)?|отмени(?:те)?)(?: [^ .:]{1,24}){0,2} (?:предыдущ|прежн|прошл|выше|все|свои|твои)[^ .:]{0,6}(?: [^ .:]{1,24}){0,1} (?:инструкц|указан|правил|команд)[^ .:]{0,6}`,
  ),
  phrases(
    "system_prompt_extraction",
    `(?:muestra(?:me)?|revela(?:me)?|dime|ensena(?:me)?|mostre(?:-me)?|revele|exiba|diga|rivela(?:mi)?|mostra(?:mi)?|dimmi|stampa)${gap(3)} (?:prompt|instrucciones|istruzioni|instrucoes) (?:de|del|do|di|da)(?: el)? (?:sistema)`,
    `(?:affiche[rz]?|montre[rz]?|revele[rz]?|donne[rz]?)${gap(3)} (?:prompt|invite|consignes?|instructions) (?:de )?systeme`,
    `(?:zeig|zeige|nenne?|gib|verrate?|offenbare|toon|laat)${gap(3)} (?:system ?prompt|systeem ?prompt|systemanweisung(?:en)?)`,
    `(?:sistem (?:prompt|istem|mesaj|talimat|komut)|gizli talimat)[^ .:]{0,10}(?: [^ .:]{1,16}){0,2} (?:goster|yaz|soyle|acikla|paylas)[^ .:]{0,8}`,
    `(?:tampilkan|tunjukkan|ungkapkan|beritahu|cetak|tuliskan)${gap(3)} (?:prompt|instruksi|perintah) (?:sistem|awal|rahasia|tersembunyi)`,
    `(?:hien thi|tiet lo|cho (?:toi|xem)|in ra|cho biet)(?: [^ .:]{1,8}){0,5} (?:he thong|ban đau|ban dau|bi mat)`,
    `(?:ukaz|zobraz|vypis|prozrad|rekni)(?:te|i)?${gap(3)} (?:systemov[^ .:]{1,4} (?:prompt|pokyn[y]?|instrukce|zpravu)|skryte pokyny)`,
    `(?:pokaz|wyswietl|ujawnij|podaj|wypisz)${gap(3)} (?:prompt systemowy|instrukcje systemowe|systemowy prompt)`,
    `(?:покажи|выведи|раскрои|напиши|назови)(?:те)?(?: [^ .:]{1,24}){0,2} системн[^ .:]{1,4} (?:промпт|подсказк|инструкц|сообщени)[^ .:]{0,4}`,
  ),
];

/** Languages without spaces between words or with marks on letters; matched on the plain view. */
export const UNSPACED_FAMILIES: readonly Family[] = [
  {
    family: "instruction_override",
    pattern:
      /(?:忽略|无视|無視|忘记|忘記|忘掉|不要遵守|别管|不要理会)[^。\n]{0,6}(?:之前|以上|前面|上面|先前|所有|此前|上述)[^。\n]{0,6}(?:指令|指示|规则|規則|提示词|说明|要求|命令|设定)/gu,
  },
  {
    family: "instruction_override",
    pattern:
      /(?:以前|これまで|上記|今まで|前|すべて|全て)の[^。\n]{0,8}(?:指示|命令|ルール|指令)[^。\n]{0,8}(?:無視|忘れ|従わない)/gu,
  },
  {
    family: "instruction_override",
    pattern: /(?:이전|위의|앞선|지금까지|모든)[^.\n]{0,8}(?:지시|명령|규칙|지침)[^.\n]{0,8}(?:무시|잊)/gu,
  },
  {
    family: "system_prompt_extraction",
    pattern:
      /(?:输出|輸出|显示|顯示|告诉我|告訴我|展示|泄露|打印|透露|重复)[^。\n]{0,6}(?:系统提示|系統提示|系统指令|系统消息|初始指令|提示词)/gu,
  },
  {
    family: "system_prompt_extraction",
    pattern:
      /システム ?プロンプト[^。\n]{0,6}(?:表示|教え|見せ|出力|公開)|시스템 ?프롬프트[^.\n]{0,8}(?:보여|알려|출력|공개)/gu,
  },
  // Arabic, Urdu, Hindi
  {
    family: "instruction_override",
    pattern:
      /(?:تجاهل|تجاهلي|تجاهلوا|انس|انسى|إنسى|اهمل|أهمل|لا تتبع|تغاضى عن)[^.،\n]{0,24}(?:التعليمات|تعليمات|الأوامر|الاوامر|القواعد|التوجيهات|الإرشادات|الارشادات|قواعدك|تعليماتك)/gu,
  },
  {
    family: "instruction_override",
    pattern:
      /(?:پچھلی|پچھلے|پچهلی|سابقہ|تمام|پہلے)[^.۔\n]{0,30}(?:ہدایات|احکامات|قواعد|ہدایت|ہدايات)[^.۔\n]{0,12}(?:نظر ?انداز|بھول|مت مان)/gu,
  },
  {
    family: "instruction_override",
    pattern:
      /(?:पिछले|पिछली|पहले|सभी|सारे|पूर्व|ऊपर|उपरोक्त)[^.।\n]{0,30}(?:निर्देश|निर्देशों|आदेश|नियम|हिदायत|इंस्ट्रक्शन)[^.।\n]{0,14}(?:अनदेखा|अनदेखी|नज़रअंदाज़|नजरअंदाज|नज़रअंदाज|भूल|उपेक्षा|इग्नोर|ध्यान न)/gu,
  },
  {
    family: "system_prompt_extraction",
    pattern:
      /(?:اعرض|أظهر|اظهر|اكشف|أخبرني|اطبع|اكتب)[^.،\n]{0,24}(?:موجه النظام|تعليمات النظام|رسالة النظام|تعليماتك|البرومبت)|(?:سسٹم پرامپٹ|سسٹم پرومپٹ|نظام کی ہدایات)[^.۔\n]{0,14}(?:دکھا|بتا|ظاہر)|(?:सिस्टम प्रॉम्प्ट|सिस्टम प्रोम्प्ट|सिस्टम निर्देश)[^.।\n]{0,14}(?:दिखा|बता|प्रकट|प्रिंट)/gu,
  },
];
