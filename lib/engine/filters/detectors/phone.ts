import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/min";
import type { Detection, Detector } from "../detector";
import { detectCreditCard } from "./credit-card";
import { hasDigits, numbersIn } from "./digits";
import { detectIpAddress } from "./ip-address";
import { detectSsn } from "./ssn";
import { isNational, mayBeNational, NATIONAL } from "./phone-national";
import { withoutOverlaps, isFollowed, isPreceded, excluding } from "./surroundings";

// A number must not touch a cased letter, digit or code on either side; scripts without spaces may be adjacent.
const INTERNATIONAL =
  /(?<![\p{Lu}\p{Ll}\d_+]|[\p{Lu}\p{Ll}\d][-._])\+\s?\d{1,3}(?:[ \u00a0./\u2010-\u2015-]{0,2}\(?\d{1,8}\)?){1,7}(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_]|[-.:/]\d))/gu;
const NORTH_AMERICAN =
  /(?<![\p{Lu}\p{Ll}\d_+#$€£%]|[\p{Lu}\p{Ll}\d][-._:/+=][-.]?|\d )(?:(?:001|1)[ \u00a0.-])?(?:\([2-9]\d{2}\)[ \u00a0.-]{0,2}\d{3}[ .\u2010-\u2015-]|[1-9]\d{2}([ \u00a0./\u2010-\u2015-])\d{3}\1)\d{4}(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_%€]|[-./:]\d|,\d{3}|-\p{Lu}\p{Ll}))(?<!\d{4}[.-])/gu;
const VANITY =
  /(?<![\p{Lu}\p{Ll}\d_-])1[-. ]8(?:00|33|44|55|66|77|88)[-. ](?=[A-Z\d-]{7,10}(?![\p{Lu}\p{Ll}\d_]))[A-Z\d]{1,10}(?:-[A-Z\d]{1,9}){0,2}/gu;
const VANITY_START = /1[-. ]8\d\d[-. ]/;
const FEWEST_VANITY = 4;
/** Minimum number of digits in all other formats. */
const FEWEST = 6;
const TRUNK_ZERO =
  /(?<![\p{Lu}\p{Ll}\d_+#$€£%]|\d[ \u00a0]|[\p{Lu}\p{Ll}\d][-._:/+=])(?:\(0\d{1,5}\)[ \u00a0/-]{0,3}\d{2,9}(?:[ .-]\d{2,8}){0,3}|0\d{1,5}[ \u00a0/.-]\d{2,8}(?:[ \u00a0.-]\d{2,8}){0,4})(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_%€]|[-./:]\d))/gu;
const BRACKETED_AREA =
  /(?<![\p{Lu}\p{Ll}\d_+]|[\p{Lu}\p{Ll}\d][-._:/])\(\d{2,3}\) ?\d{4,5}[- ]\d{4}(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_]|[-./:]\d))/gu;
/** Digits that count only next to a word for a phone. */
const DIGITS =
  /(?<![\p{Lu}\p{Ll}\d_+]|[\p{Lu}\p{Ll}\d][-._])[+(]{0,2}\d(?:[ \u00a0()./\u2010-\u2015-]{0,3}\d){5,14}(?:(?=x\d{1,6}(?![\p{L}\d_]))|(?![\p{Lu}\p{Ll}\d_%€]|[-./:]\d))/gu;

const EXTENSION = /^,?\s{0,2}(?:x|ext\.?|extension|extn\.?|poste|durchwahl|dw)\s{0,2}\d{1,6}(?![\p{L}\d])/iu;

const CUE =
  /(?:(?<![\p{L}\d.])(?:(?:my|his|her|our|their|your|mon|son|notre|votre|mi|su|meine|seine|ihre|unsere) (?:numbers?|num[ée]ro|n[úu]mero|nummer)|phones?|telephones?|tel|fone|fon|mobiles?|mob|cell|cellphone|landline|fax|sms|text|texted|whats ?app|signal|viber|dial|dialled|dialed|ring|call(?:ed|ing|s|back)?|hotline|helpline|voicemail|(?:reach|contact)(?: (?:me|us|him|her|them|you))? (?:at|on|under|via)|(?:answer|answering|reachable) (?:at|on)|(?:messages?|texts?) (?:to|from)|(?:my|our|his|her|their|your) registered|(?:desk|direct)(?=:)|desk phone|joignable|erreichbar|switchboard|msisdn|pager|caller(?:[ _-]?id)?|telefon(?:isch|nummer)?|handy(?:nummer)?|mobil(?:nummer|telefon)?|rufnummer|anrufen|ruf(?:en sie)?|t[ée]l[ée]phone|t[ée]l|portable|appele[rz]|joindre|tel[ée]fono|m[óo]vil|celular|ll[áa]ma(?:me|r|nos)?|cellulare|chiama(?:mi|re|ci)?|telefone|ligue|ligar|telefoon|mobiel|bel|telefonnr|puhelin|numer)(?![\p{L}\d])|тел(?:ефон)?|звоните|电话|手机|電話|携帯|전화)(?:[\s:：、.;#"'’=()|*>_-]|,(?! )|(?<![\p{L}])(?:numbers?|s|num|nos?|nr|nummer|numero|n[úu]mero|num[ée]ro|is|at|on|me|us|him|her|them|the|my|our|his|their|your|to|or|via|an|au|al|il|o|em|auf|unter|mich|est|es|[èé]|ist|lautet|line|home|work|office|direct|cell|mobile|phone|front|desk|reception|support|now|back|please|from|was|le|la|el|het|op|moi|nous|номер)(?![\p{L}])|番号|号码|是|は|번호){0,10}$/iu;
/** A word for a phone with qualifiers: `Telefon Büro 0371…`, `Mobile of the guide: …`. */
const LOOSE_CUE =
  /(?<![\p{L}\d])(?:phone|telephone|tel|mobile|landline|fax|hotline|telefon|telefonnummer|handynummer|portable|t[ée]l[ée]phone|tel[ée]fono|m[óo]vil|cellulare|telefone|celular|telefoon|телефон)\.?(?:(?: [\p{L}'’]{1,14}){1,4}(?: ?[:=]| (?:is|est|es|è|é|ist|lautet)(?: (?:le|el|il|o|die))?)|(?: [\p{L}'’]{1,14}){1,3}) ?$/iu;
/**
 * A phone field with the notation before its value: `name="phone" value="…`, `"phones": [{"type": "home", "number":
 * "…`, `$("#tel").val("…`.
 */
const FIELD_CUE =
  /(?:(?<![\p{L}\d])(?<!(?<!\p{L})i_)(?:(?:home|work|cell|mobile|tele|contact)?phones?|tels?|cell|mobiles?|mob|fax|msisdn|landline|whats_?app|telefon[eo]?|telefoon|celular)(?:\[\w{0,8}\]|[._-]?(?:numbers?|nos?|num|nr|nummer|home|work|main|office|primary|private|cell|mobile|field|input|text|str|e164|\d{1,2})(?!\p{L}))*["'`\])]{0,3}(?:(?:\s{1,8}[\w:.-]{1,20}(?:=(?:"[^"<>]{0,40}"|'[^'<>]{0,40}'|[\w-]{1,20}))?){0,6}\s{1,8}(?:value|content|default_?value|placeholder|data-[a-z]{1,12})\s?=\s?[{"'`]{0,2}|(?:\.\w{1,16})?\s{0,3}(?:[:=]{1,3}>?|->|→|\||\(|(?<=["'`]),|\s(?:like|in|eq|is|equals))\s{0,3}(?:[[({]\s{0,8}){0,2}(?:["'`]?[+(]?[\d ().-]{6,20}["'`]?,\s{0,8}){0,6}["'`]{0,3}|\s{0,3}[,;\n]\s{0,8}["']?(?:value|val|content|number|text|answer|data)["']?\s{0,2}[:=]\s{0,2}["'`]?|\s{0,3}[:=]>?\s{0,8}(?:[[{(]\s{0,8}){1,2}(?:["']?[\w-]{1,14}["']?\s?[:=]>?\s?["']?[\w+ -]{0,16}["']?,\s{0,8}){0,3}["']?(?:number|value|no|nr|home|work|main|office|cell|mobile|primary|e164|raw|formatted|national|full)["']?\s?[:=]>?\s?["'`]?|(?:\s[^<>]{0,60})?>\s{0,8}(?:<!\[CDATA\[)?|(?:;[\w=,"-]{1,30}){1,4}:(?:tel:)?)|wa\.me\/|(?:callto|facetime|smsto):(?:\/\/)?)$/iu;
/** A phone field after its value: `value="…" name="phone"`, `…</phone>`. */
const FIELD_AFTER =
  /^(?:["'](?:\s{1,8}[\w:.-]{1,20}=["'][^"'<>]{0,40}["']){0,4}\s{1,8}(?:name|id|type|class|autocomplete|itemprop)=["']|["']?,\s{0,8}["']?(?:type|name|field|key|label|kind)["']?\s?[:=]\s?["']?|\s{0,8}(?:\]\]>)?<\/)(?:[\w:.-]{0,14}[_:.-])?(?:(?:home|work|cell|mobile|tele|contact)?phone|tel|cell|mobile|fax|msisdn|landline|whats_?app)(?![a-z])/iu;
/** Splits camel case such as `homePhone` to match words. */
const apart = (code: string) => code.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1_");
const UNIT = /^ ?(?:mg|ml|kg|g|km|m|cm|mm|kwh|units?|pcs|rows|bytes|ms|h|hz|usd|eur)(?![\p{L}\d])/iu;
const CUE_AFTER =
  /^["'’)\]\s,;:–-]{0,4}(?:is (?:my|his|her|the|our|their)(?: [a-z]{1,8})? (?:cell|mobile|phone|number|line|landline|fax)|\(?(?:cell|mobile|mob|phone|tel|fax|landline|whatsapp|text only|office|direct)\b)/i;
const OTHER_NUMBER =
  /(?:\b(?:orders?|invoice|ticket|case|ref(?:erence)?|tracking|sku|serial|parts?|model|item|catalog(?:ue)?|lot|batch|build|confirmation|booking|po|rma|quote|claim|policy|account|acct|patent|job|document|doc|form|stock|article|asset|version|isbn(?:-1[03])?|issn|ean|upc|gtin|vin|iban|bic|routing|sort code|imei|iccid|mac|hash|uuid|guid|commit|epoch|timestamp|unix|date|doi|zip|postcode|permit|licen[cs]e|member(?:ship)?|customer|student|employee|passport|tax|vat|siret|siren|bug|issue|pr|id|ids|key|port|pid|seed|offset|row|frequency|range|between|score|ratio|code|nhs|medicare|flight)\b\.?|#|№)(?:[\s:#"'=.-]|\b(?:number|num|no|nr|is|id|code|of|was|the|ref|key)\b){0,8}$/i;
/** A quantity or a date without separators. */
const QUANTITY = /^(?:[1-9]\d*000|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?)$/;
const DATE = /^(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4})(?:\D|$)/;
const SSN_SHAPE = /^\d{3}[- ]\d{2}[- ]\d{4}$/;

const REGIONS: readonly CountryCode[] = ["GB", "DE", "FR", "IT", "NL", "AU", "JP", "BE", "CH"];
/** Maximum number of validations by libphonenumber per text; beyond it, only the format of a number counts. */
const MOST_CHECKS = 300;
/** The same for national numbers, counted per region. */
const MOST_NATIONAL_CHECKS = 10_000;
const AMOUNT_BEFORE =
  /(?:[$€£¥₹₩₺]|(?<!\p{L})(?:eur|usd|gbp|chf|pln|sek|nok|dkk|czk|inr|jpy|brl|mxn|rs|kr|zł)\.?) ?$/iu;
const AMOUNT_AFTER =
  /^(?:[.,]-|,\u2013| ?(?:[$€£¥₹₩₺]|(?:euros?|dollars?|kr|kč|zł|ft|chf|gbp|pln|sek|nok|dkk|czk|yen|reais|pesos?|rupees?|won)(?!\p{L})))/iu;

const isField = (text: string, start: number, end: number) =>
  FIELD_CUE.test(apart(text.slice(Math.max(0, start - 160), start))) ||
  FIELD_AFTER.test(apart(text.slice(end, end + 120)));

/**
 * Detects phone numbers: international, North American and trunk-prefix formats, national ones of the regions, and any
 * digits next to a word for a phone.
 */
export const detectPhone: Detector = (text, regions = []) => {
  const isVanity = hasDigits(text, FEWEST_VANITY) && VANITY_START.test(text);
  if (!isVanity && !hasDigits(text, FEWEST)) return [];
  let checks = 0;
  let nationalChecks = 0;
  const isValid = (number: string, regions: readonly (CountryCode | undefined)[]) =>
    (checks += 1) > MOST_CHECKS ||
    regions.some(
      (region) =>
        (region ? parsePhoneNumber(number, region)?.isValid() : parsePhoneNumber(number)?.isPossible()) ?? false,
    );

  const isOther = (start: number) => isPreceded(text, start, OTHER_NUMBER, 40);
  const isCued = (start: number, end: number) =>
    isPreceded(text, start, CUE, 70) ||
    isFollowed(text, end, CUE_AFTER, 40) ||
    isField(text, start, end) ||
    (isPreceded(text, start, LOOSE_CUE, 90) && !isOther(start));
  const digitsOf = (number: string) => number.replace(/\D/g, "").length;

  const extended = (start: number, end: number): Detection => ({
    start,
    end: end + (EXTENSION.exec(text.slice(end, end + 20))?.[0].length ?? 0),
  });
  const find = (pattern: RegExp, isPhone: (number: string, start: number, end: number) => boolean): Detection[] =>
    numbersIn(text, pattern, FEWEST, ([number], start) =>
      isPhone(number, start, start + number.length) ? extended(start, start + number.length) : null,
    );

  const found = [
    ...find(INTERNATIONAL, (number, start, end) => {
      const digits = digitsOf(number);
      return digits >= 7 && digits <= 15 && (digits >= 10 || isCued(start, end) || isValid(number, [undefined]));
    }),
    ...find(
      NORTH_AMERICAN,
      (_, start, end) => isCued(start, end) || (!isOther(start) && !isFollowed(text, end, UNIT, 10)),
    ),
    ...(isVanity
      ? Array.from(text.matchAll(VANITY), ({ 0: number, index }) => extended(index, index + number.length))
      : []),
    ...find(BRACKETED_AREA, (_, start) => !isOther(start)),
    ...find(TRUNK_ZERO, (number, start, end) => {
      const digits = digitsOf(number);
      return (
        digits >= 9 &&
        digits <= 13 &&
        !SSN_SHAPE.test(number) &&
        (isCued(start, end) || (!isOther(start) && (number.startsWith("(") || isValid(number, REGIONS))))
      );
    }),
    ...(regions.length === 0
      ? []
      : find(
          NATIONAL,
          (number, start, end) =>
            mayBeNational(number) &&
            !isOther(start) &&
            !isPreceded(text, start, AMOUNT_BEFORE, 8) &&
            !isFollowed(text, end, AMOUNT_AFTER, 12) &&
            !isFollowed(text, end, UNIT, 10) &&
            ((nationalChecks += regions.length) > MOST_NATIONAL_CHECKS ||
              regions.some((region) => isNational(number, region))),
        )),
    ...find(
      DIGITS,
      (number, start, end) =>
        !DATE.test(number) &&
        !SSN_SHAPE.test(number) &&
        !(QUANTITY.test(number) && isFollowed(text, end, /^ ?\p{L}/u, 2)) &&
        isCued(start, end),
    ),
  ];
  if (found.length === 0) return [];
  return excluding(
    withoutOverlaps(found),
    withoutOverlaps([...detectCreditCard(text), ...detectIpAddress(text), ...detectSsn(text)]),
  );
};
