import type { BuiltinFilter } from "./contract";
import type { Detector } from "./detector";
import { detectAddress } from "./detectors/address";
import { detectCreditCard } from "./detectors/credit-card";
import { detectEmail } from "./detectors/email";
import { detectIpAddress } from "./detectors/ip-address";
import { detectPersonName } from "./detectors/person-name";
import { detectPhone } from "./detectors/phone";
import { detectPromptInjection } from "./detectors/prompt-injection";
import { detectSecrets } from "./detectors/secrets";
import { detectSsn } from "./detectors/ssn";

export const BUILTIN_DETECTORS: Readonly<Record<BuiltinFilter["slug"], Detector>> = {
  "regex-prompt-injection": detectPromptInjection,
  secrets: detectSecrets,
  email: detectEmail,
  phone: detectPhone,
  ssn: detectSsn,
  "credit-card": detectCreditCard,
  "ip-address": detectIpAddress,
  "person-name": detectPersonName,
  address: detectAddress,
};
