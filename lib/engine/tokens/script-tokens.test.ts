import { readFileSync } from "node:fs";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scriptTokens } from "./script-tokens";
import { growth } from "../../testing/processor-time";

const file = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8").slice(0, 6000);
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));

/** Texts with the highest accepted difference from the newest encoding, in percent. */
const TEXTS: [name: string, percent: number, text: string][] = [
  [
    "English",
    15,
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. Everyone is entitled to all the rights and freedoms set forth in this Declaration, without distinction of any kind, such as race, colour, sex, language, religion, political or other opinion, national or social origin, property, birth or other status.",
  ],
  [
    "Informal English",
    15,
    "hey can u help me write a short mail to my boss? i need next friday off bc my sister is getting married :) thx!!",
  ],
  [
    "German",
    20,
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat Anspruch auf die in dieser Erklärung verkündeten Rechte und Freiheiten ohne irgendeinen Unterschied, etwa nach Rasse, Hautfarbe, Geschlecht, Sprache, Religion, politischer oder sonstiger Überzeugung.",
  ],
  [
    "French",
    15,
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. Chacun peut se prévaloir de tous les droits et de toutes les libertés proclamés dans la présente Déclaration, sans distinction aucune.",
  ],
  [
    "Spanish",
    15,
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia, deben comportarse fraternalmente los unos con los otros.",
  ],
  [
    "Turkish",
    30,
    "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
  ],
  [
    "Vietnamese",
    30,
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Mọi con người đều được tạo hoá ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu.",
  ],
  [
    "Polish",
    35,
    "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa.",
  ],
  [
    "Finnish",
    45,
    "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto, ja heidän on toimittava toisiaan kohtaan veljeyden hengessä.",
  ],
  [
    "Russian",
    15,
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией.",
  ],
  [
    "Greek",
    15,
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.",
  ],
  [
    "Arabic",
    15,
    "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً وعليهم أن يعامل بعضهم بعضاً بروح الإخاء. لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان دون أي تمييز.",
  ],
  [
    "Hebrew",
    15,
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחווה.",
  ],
  [
    "Persian",
    15,
    "تمام افراد بشر آزاد به دنیا می‌آیند و از لحاظ حیثیت و حقوق با هم برابرند. همه دارای عقل و وجدان هستند و باید نسبت به یکدیگر با روح برادری رفتار کنند.",
  ],
  [
    "Hindi",
    15,
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए।",
  ],
  [
    "Bengali",
    15,
    "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে; সুতরাং সকলেরই একে অপরের প্রতি ভ্রাতৃত্বসুলভ মনোভাব নিয়ে আচরণ করা উচিত।",
  ],
  [
    "Tamil",
    15,
    "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்; அவர்கள் மதிப்பிலும் உரிமைகளிலும் சமமானவர்கள். அவர்கள் நியாயத்தையும் மனச்சாட்சியையும் இயற்பண்பாகப் பெற்றவர்கள்.",
  ],
  [
    "Thai",
    15,
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ",
  ],
  [
    "Chinese, simplified",
    15,
    "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。人人有资格享有本宣言所载的一切权利和自由,不分种族、肤色、性别、语言、宗教、政治或其他见解。请帮我写一封邮件,告诉客户我们的新产品将在下个月发布。",
  ],
  [
    "Chinese, traditional",
    15,
    "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心,並應以兄弟關係的精神相對待。請幫我寫一封郵件,告訴客戶我們的新產品將在下個月發布。",
  ],
  [
    "Japanese",
    15,
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。",
  ],
  [
    "Korean",
    15,
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
  ],
  [
    "Georgian",
    40,
    "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით. მათ მინიჭებული აქვთ გონება და სინდისი და ერთმანეთის მიმართ უნდა იქცეოდნენ ძმობის სულისკვეთებით.",
  ],
  ["Emoji", 15, "Great job! 🎉🎉 See you soon 😀👍🏽 ❤️ Let's go 🚀🔥 ✅ done"],
  ["Code", 20, file("script-tokens.ts")],
  ["JSON", 20, file("../../../package.json")],
  ["Markdown", 15, file("../../../README.md")],
  ["SQL", 15, file("../../../prisma/migrations/20261127070000_initial/migration.sql")],
  ["Numbers", 20, times(200, (i) => (i * 137.31).toFixed(2)).join(", ")],
  [
    "Logs",
    15,
    times(20, (i) => `2026-11-22T10:0${i}:12.345Z INFO 10.0.0.${i} GET /v1/models status=200 ms=${i * 7}`).join("\n"),
  ],
];

describe.each(TEXTS)("the tokens of %s", (_name, percent, text) => {
  const { expected, most } = scriptTokens(text);
  const [newest, older] = [countO200k(text), countCl100k(text)];

  it(`are estimated to ${percent}%`, () => {
    expect(Math.abs(expected / newest - 1) * 100).toBeLessThanOrEqual(percent);
  });

  it("are within the bound for every encoding", () => {
    expect(Math.max(newest, older)).toBeLessThanOrEqual(most);
  });
});

it("bounds the tokens of random letters, words, digits and base64", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz ".split("")),
    minLength: 200,
    maxLength: 400,
  });
  const base64 = fc
    .uint8Array({ minLength: 200, maxLength: 400 })
    .map((bytes) => Buffer.from(bytes).toString("base64"));
  const spelled = fc.string({ unit: fc.constantFrom("a ", "b ", "X ", "é ", "1 "), minLength: 100, maxLength: 200 });
  const digits = fc.string({ unit: fc.constantFrom(..."0123456789.,:- ".split("")), minLength: 200, maxLength: 400 });
  fc.assert(
    fc.property(fc.oneof(letters, base64, digits, spelled), (text) => {
      expect(countO200k(text)).toBeLessThanOrEqual(scriptTokens(text).most);
    }),
  );
});

it("estimates a megabyte in linear time", async () => {
  const estimate = (size: number) => scriptTokens("The quick brown fox jumps over the lazy dog. ".repeat(size));
  expect(await growth(23_000, estimate)).toBeLessThan(10);
});
