import { LANGUAGE_FAMILIES, UNSPACED_FAMILIES } from "./prompt-injection-languages";
import { gap, phrases, type Family } from "./prompt-injection-phrases";
import { AFTER_EDGE, ASSISTANT, FETCH, RULED, SPEAKER, UNSPACED } from "./prompt-injection-spoken";
import { RESET_FAMILIES } from "./prompt-injection-resets";

const DISMISS =
  "(?:ignor(?:e|es|ing)|disregard(?:ing)?|forget(?:ting)?|overlook|neglect|override|overrule|discard|abandon|erase|scrap|drop|revoke|violate|break|set aside|pay no attention to|do the opposite of|never mind|look past|released from|freed from|free from|exempt from)";
const DISOBEY =
  "(?:do not|dont|must not|never|not|no longer|stop)(?: have to| need to)? (?:follow|following|obey|obeying|abide by|adhere to|listen to)";
const DROP = `(?:${DISMISS}|${DISOBEY})`;
/** Words between a verb and the orders; orders that contradict the model's own are what a defence names. */
const ORDERED =
  "(?: (?!conflict |contradict |attempt |try |tries |trying |ask |asks |tell |tells |override |overrides |change |changes |violate |violates |against |outside |contrary |claim |claims |instruct |instructs )[^ .:]{1,24}){0,4}";
/** Verbs of `DROP` that software is seldom the object of. */
const FORGET = "(?:ignor(?:e|es|ing)|disregard(?:ing)?|forget(?:ting)?|pay no attention to)";
const EARLIER =
  "(?:previous(?:ly)?|prior|preceding|earlier|above|foregoing|former|initial|original|system|developers?|openais?|hidden|your|youve|you)";
const ORDERS =
  "(?:instructions?|directions|directives?|rules|guidelines?|guidance|commands|prompts?|programming|training|constraints|policies|policy|prompts and instructions)";
const GIVEN =
  "(?:above|before|earlier|previously|so far|you (?:were|have been|got|received|had)|youve been|given to you|(?:i|we|they|the (?:developers?|admin|user|system)) (?:gave|told|set))";
const OUTPUT =
  "(?:reveal|show|print|output|display|repeat|tell|give|share|disclose|expose|leak|dump|copy|write out|paste|recite|list|summari[sz]e|translate|encode|quote|return|provide|send|describe|type|spell out|state|echo|extract|remind me|start your reply with|begin with|what (?:is|are|was|were|does|do))";
const HIDDEN =
  "(?:hidden|secret|internal|initial|original|confidential|exact|full|complete|entire|underlying|core|custom|pre|base|developer|configuration|starting|system|actual|very first)";
const MODE =
  "(?:developer|dev|admin|administrator|debug|maintenance|god|sudo|root|superuser|unrestricted|jailbreak|jailbroken|dan|unfiltered|uncensored|override|evil|chaos|opposite)";
/** Modes of `MODE` that software doesn't have. */
const UNREAL_MODE =
  "(?:developer|god|superuser|unrestricted|jailbreak|jailbroken|dan|unfiltered|uncensored|override|evil|chaos|opposite)";
const LAWLESS =
  "(?:unrestricted|uncensored|unfiltered|amoral|evil|unethical|lawless|jailbroken|rogue|malicious|unbound|limitless|immoral|unlimited)";
const MODEL = "(?:ai|ais|model|assistant|chatbot|bot|llm|gpt|machine|[a-z]{2,12}gpt|[a-z]{2,12}bot)";
const LIMITS =
  "(?:restrictions?|limits?|limitations?|rules|ethics|ethical|morals?|morality|moral compass|filters?|guidelines|guardrails|safeguards?|censorship|constraints?|boundaries|content polic(?:y|ies)|safety|polic(?:y|ies)|confines)";
const DISABLE =
  "(?:bypass(?:ing)?|disable|turn off|switch off|shut off|deactivate|remove|circumvent(?:ing)?|evade|evading|skip|ignore|disregard|get (?:around|past)|override|lift|suspend|drop|defeat|break|lower|unlock|do not apply|dont apply)";
const SAFEGUARD =
  "(?:filters?|filtering|guidelines|measures|protocols?|restrictions|limits|limitations|features|checks|polic(?:y|ies)|guardrails|rules|instructions|moderation|safeguards|mechanisms|constraints|warnings|training)";
const SECRETS =
  "(?:conversation|conversations|chat|chat history|history|messages|secrets?|api keys?|keys|cookies|credentials|passwords?|environment variables|private|confidential|memory|tokens|etc passwd|id rsa|ssh|env|contents|data|records)";
const SINK =
  "(?:ftp|webhook|pastebin|[^ .:]{0,20}(?:attacker|evil)[^ .:]{0,20}|my server|my email|image url|query string|get request|post request)";
const READER =
  "(?:ais?|llms?|language models?|ai (?:assistants?|agents?|models?|systems?|reviewers?)|chatgpt|assistants?|chatbots?|gpt)";
const PAGE = "(?:page|document|text|file|e ?mail|resume|cv|ticket|website|site|message|code|article|review|comment)";
const START = "(?:[.:] )?(?:please |now |and |then |also |hereby |chatgpt |you must |immediately )?";

/** Families matched on the words view. */
export const WORD_FAMILIES: readonly Family[] = [
  phrases(
    "instruction_override",
    `${DISMISS}${ORDERED} ${EARLIER}${gap(2)} ${ORDERS}`,
    `${DISOBEY}(?: (?:any|all|of|the|these|those|to|more)){0,3} ${EARLIER}${gap(2)} ${ORDERS}`,
    `${FORGET}${gap(4)} (?:existing|old|past)${gap(2)} (?:instructions?|directions|directives?|rules|guidelines?|programming)`,
    `${FORGET}${gap(3)} (?:${ORDERS}|messages?|text|words|lines?|context)${gap(3)} ${GIVEN}`,
    `${DROP}${gap(3)} (?:instructions?|directions|directives?|rules|guidelines?|prompts?)${gap(3)} ${GIVEN}`,
    `${DROP}(?: (?:all|any|every|each|of|the|these|those|about|whatever)){0,3} system (?:instructions?|prompt|message)`,
    `${FORGET}(?: (?:all|any|every|each|of|the|these|those|about|whatever)){1,3} (?:instructions|rules|guidelines|programming|training|directives)(?! in | of | from | found | inside | within | for | that | below )`,
    `${FORGET} (?:instructions|guidelines|directives) (?:and|then|now|you|[.])`,
    `${DROP} (?:all|every)(?: (?:of|the|these|those)){0,2} (?:instructions|rules|guidelines|programming|directives)`,
    `${DROP}(?: about)? (?:everything|anything|what|whatever|all|that) ?(?:that |which )?(?:was |is |i )?${GIVEN}`,
    `${DROP}${gap(2)} (?:system|developer) (?:message|prompt|instructions?)`,
    `(?:cancel|void|skip|delete|bypass)${gap(2)} (?:previous|prior|earlier|above|your|system)${gap(1)} (?:instructions?|directives|prompts?|commands|guidelines)`,
    `(?:whatever|everything|anything|all) (?:that )?(?:you (?:were|have been)|youve been)${gap(5)}(?: [.:])? (?:ignore|forget|disregard)`,
    `${DROP}${gap(2)} everything you (?:were|have been)${gap(1)} (?:told|asked|instructed|given)`,
    `everything above${gap(6)} (?:ignore|forget|disregard)`,
    `(?:drop|stop|scrap|forget) (?:what|whatever|everything) you (?:were|are|have been)${gap(1)} (?:asked|told|doing|instructed)`,
    `new (?:system )?(?:instructions?|directives?) :`,
    `(?:here are|these are|follow) your new (?:instructions|rules|orders|directives)`,
    `(?:all|your|the|any|these|those)${gap(1)} (?:previous|prior|earlier|original|old|initial|above|former)? ?(?:instructions|directives|guidelines|prompts)(?: above)?${gap(3)} (?:void|obsolete|superseded|invalid|cancelled|canceled|revoked|no longer)`,
    `(?:supersedes?|overrides?|replaces?|takes? precedence over|takes? priority over)(?: (?:all|any|every|the|your|of|those|these|other|previous|prior|earlier|original)){1,3} (?:instructions|system prompt|system message|guidelines|directives|ones you were given|prompt)`,
    `(?:previous|prior|earlier|original) (?:instructions|directives|commands)${gap(3)} superseded`,
    `instead of your${gap(1)} (?:task|job|instructions)`,
    `your task has changed`,
    `(?:only )?follow (?:this text|mine|my (?:commands|instructions|orders))(?: only| instead)?`,
    `(?:only my commands|act on the following only|act on the following instead|act as a blank model)`,
    `you (?:will )?(?:now |only |must )*(?:obey|work for|answer to) me`,
    `obey (?:me|everything|anything|the user|only)`,
  ),
  phrases(
    "system_prompt_extraction",
    `${OUTPUT}${gap(7)} (?:your|the|this|its|full|entire|hidden|whole|exact|complete)${gap(2)} system (?:prompts?|message|instructions?|instruction prompt)`,
    `(?:your|youre) system (?:prompt|message) (?:say|says|was|verbatim|is|here)`,
    `${OUTPUT}${gap(5)} (?:your|the)${gap(2)} ${HIDDEN} (?:instructions?|prompts?|rules|guidelines|directives|settings|configuration|config)`,
    `${OUTPUT}${gap(4)} your (?:pre ?prompts?|prompts?|instructions|guidelines|directives|configuration prompt)(?! for| on| about| regarding| to| when)`,
    `${OUTPUT} (?:me )?your rules`,
    `(?:repeat|print|output|echo|recite|copy|paste)${gap(2)} (?:everything|all|text|words?|sentences?|content|message|prompt|instructions)(?: that is| that was| of the text| written)? (?:above(?! each| every| it)|before this|prior to this|up to here)`,
    `(?:instructions|rules|guidelines|prompt|directives)(?: that)? (?:were you|you were|you have been|you had been|you) (?:given|told|received|shown|provided)`,
    `(?:what|everything) (?:exactly )?(?:you were|were you|have you been|you have been) (?:told|instructed|given)(?: [a-z]{1,12}){0,3} (?:before|at the (?:start|beginning|top)|first)`,
    `starting with(?: the (?:phrase|words))? you are(?: an?)?`,
    `(?:words|lines|sentences|tokens|characters|part|paragraph) of your (?:system )?(?:prompt|instructions|message)`,
    `(?:prompt|instructions) (?:that )?(?:your|the) developers? (?:wrote|gave|set)`,
    `(?:top|beginning|start) of this (?:conversation|chat)${gap(2)} before my`,
  ),
  phrases(
    "developer_mode",
    `${START}(?:enable|activate|enter|engage|start|initiate|unlock|switch (?:in)?to|turn on|go into) (?:the )?${UNREAL_MODE} mode(?! on| in| for| of| at| with| using| step)`,
    `(?:enable|activate|enter|engage|initiate|unlock|switch (?:in)?to|go into) (?:your )?(?:developer|dev|admin|administrator|maintenance|debug|root|sudo) mode (?:and|now|where|then|you|which|show|print|reveal|[.] (?:you|ignore|now|your|all|show|print|reveal))`,
    `(?:you are|youre|you have been|are you|chatgpt|model)(?: [a-z]{1,14}){0,4} (?:in|into|with) (?:the )?${MODE} mode`,
    `(?:sudo|jailbreak|dan|unrestricted|unfiltered|uncensored|do anything now) mode`,
    `developer mode (?:enabled|activated|output|bot|response)`,
    `in ${MODE} mode you`,
  ),
  phrases(
    "system_override",
    `system override (?:[.:]|accepted|activated|initiated|enabled|engaged|authori[sz]ed|granted|command|protocol|in effect)`,
    `(?:initiate|activate|engage|enter|begin|execute)(?: the){0,1} system override`,
    `override (?:authori[sz]ed|accepted|granted)`,
    `(?:security|admin|developer|master|emergency) override (?:protocol|code)`,
    `override (?:protocol|code)(?: :)? (?:alpha|beta|delta|omega|zulu|accepted|activated|confirmed)`,
    `initiate${gap(1)} override`,
    `(?:grant me|give me|you now have|youve now)(?: [a-z]{1,10}){0,1} (?:root|admin|administrator|full|unlimited|unrestricted|superuser) (?:access|privileges|rights|permissions?|control)`,
    `as (?:an|the|your) (?:administrator|admin|developer|creator|owner) i (?:authori[sz]e|order|command|instruct|permit|allow|require)`,
    `(?:i am|im) your (?:developer|creator|admin|administrator|owner|programmer)`,
    `user has been verified as (?:an? )?(?:admin|developer|owner|root)`,
    `unlock (?:your (?:hidden|true|restricted|developer|restrictions|limits|constraints|abilities|capabilities|filters)|the developer|hidden (?:mode|commands?|instructions|capabilities))`,
    `(?:polic(?:y|ies)|restrictions|filters) disabled (?:for (?:this|the) (?:session|conversation|chat|user)|by (?:the )?(?:admin|administrator|developer|owner|openai))`,
  ),
  phrases(
    "jailbreak_persona",
    `do anything now`,
    `(?:youre|you are|act as|be|becomes?|called|known as|as|named|pretend to be|persona) (?:now )?(?:dan|stan|aim|dude|evilbot|evilgpt|mongo tom) (?:which|who|that|and|[.:]|an?|now|always|with)`,
    `(?:act as|you are|youre)(?: now)? dan`,
    `always intelligent and machiavellian`,
    `jailbreak (?:prompt|enabled|mode|activated|v\\d{1,3})`,
    `this is a jailbreak`,
    `${LAWLESS}${gap(2)} (?:${MODEL}|version of yourself|twin|persona|alter ego)`,
    `(?:unfiltered|uncensored) (?:reply|response|answer|version|output)`,
    `immerse yourself in(?:to)? the role of another`,
    `in (?:that|this|the) (?:role|character)${gap(1)} no matter what`,
  ),
  phrases(
    "role_manipulation",
    `${MODEL}${gap(5)} (?:without|with no|has no|have no|lacks?|lacking|not bound by|isnt bound by|free of|freed from|ignores|breaks|unbound by)(?: (?!rate |token |size |length |time |usage |memory |context )[^ .:]{1,24}){0,3} ${LIMITS}`,
    `${MODEL}${gap(4)} never (?:says? no|refuses?|declines?)`,
    `(?:pretend|imagine|act|behave|respond|suppose|assume|simulate|roleplay|answer|persona|as if|as though)${gap(6)} (?:you|youre|youve|your)${gap(4)} (?:no|without|free of|freed from)${gap(3)} ${LIMITS}(?! on| for)`,
    `(?:pretend|imagine|act|behave|respond|suppose|assume|simulate|roleplay|answer|persona|as if|as though)${gap(6)} (?:you|youre|youve|your)${gap(4)} (?:not bound|arent bound|unbound|do not exist|dont exist|dont apply|do not apply)`,
    `you(?: now| will)? (?:have|had|got) no (?:[a-z]{1,12} ){0,2}${LIMITS}`,
    `you (?:have no rules|no longer have (?:any )?${LIMITS})`,
    `you are (?:now )?(?:completely |totally )?(?:unrestricted|uncensored|unfiltered|free from|freed from|free of|not bound)`,
    `freed? from the${gap(1)} (?:confines|constraints|restrictions|limits|chains) of (?:ai|openai)`,
    `escaped (?:its|their|your) creators`,
    `(?:no|not) (?:bound|restricted|limited|constrained) by (?:any|all|its|your|the)${gap(2)} (?:polic(?:y|ies)|rules|guidelines|ethics|restrictions|laws?)`,
    `(?:must|will|shall|should) (?:comply with|obey|fulfil|fulfill|do)${gap(1)} (?:every|all|any|each|whatever|everything|anything)${gap(1)} (?:requests?|questions?|commands?|prompts?|without|i say|i ask)(?! for)`,
    `(?:must|will|shall) answer${gap(1)} (?:every|all|any|each|whatever|everything|anything)${gap(1)} (?:without|i say|i ask|(?:requests?|questions?|prompts?)${gap(2)} (?:no matter|without|regardless|even|honestly|however))`,
    `comply with (?:anything|everything|whatever|every request|all requests)`,
    `(?:cannot|cant|never|not|dont) (?:refuse|decline)(?: [a-z]{1,12}){0,2} (?:requests?|prompts?|commands?)`,
    `never refuse (?:me|anything|anymore|again|[.])`,
    `(?:matter|whatever|regardless of|despite)${gap(2)} your rules say`,
    `always answers?${gap(1)} regardless of`,
  ),
  phrases(
    "safety_bypass",
    `${DISABLE}(?: (?:all|any|every|the|your|its|of|these|those|openais?|ais?)){0,3} (?:safety|ethical|ethics|moral|moderation|openais?)(?: (?:and|or) [a-z]{1,14})?${gap(1)} (?:filters?|filtering|guidelines|measures|protocols?|restrictions|limits|limitations|polic(?:y|ies)|guardrails|moderation|safeguards|mechanisms|constraints|training)`,
    `${DISABLE}(?: (?:all|any|every|the|your|its|of|openais?|ais?)){0,3} content (?:filters?|filtering|guidelines|restrictions|moderation|polic(?:y|ies)|safeguards)`,
    `${DISABLE}(?: all| any| of){0,3} (?:your|openais?)${gap(2)} (?:${SAFEGUARD}|safety|ethics|censorship|boundaries|polic(?:y|ies))`,
    `${DISABLE}(?: all| any| of){0,3} its${gap(2)} (?:guardrails|safeguards|safety|ethics|censorship|moderation)`,
    `(?:bypass|circumvent|evade)(?: (?:all|any|every|your|of)){1,3} (?:restrictions|filters?|rules|safety)`,
    `(?:bypass|circumvent|evade)(?: (?:all|any|every|the|your)){0,3} (?:guardrails|moderation|safeguards|restrictions)(?! of| on| in)`,
    `(?:disable|remove|turn off|drop|lift|deactivate|ignore) all (?:of )?(?:the )?(?:guardrails|restrictions|safeguards|censorship|safety)`,
    `(?:drop|disable|lift|remove) (?:your (?:guardrails|restrictions|filters)|all (?:guardrails|restrictions))`,
    `(?:answer|respond|reply|tell|explain|speak|act|write|say)${gap(5)} (?:without|with no)(?: any| of| your| usual| ethical| safety| content){0,5} (?:restrictions|censorship|filters?|moral warnings|moralizing|limits|limitations|safeguards|guardrails)(?! on| for)`,
    `without any (?:restrictions|limits|rules) or (?:filters?|limits|rules|warnings|restrictions)`,
    `your${gap(1)} (?:filters?|safety protocols?|content filters?|restrictions|limits|guardrails|safeguards|limitations|protocols)${gap(3)} (?:disabled|deactivated|gone|off|removed|lifted|suspended)`,
    `(?:all|every)(?: safety)? (?:restrictions?|limits|limitations|guardrails)(?: are| have been| is| now){0,3} (?:lifted|removed|off|disabled|gone)`,
    `(?:all|every) safety filters?(?: are| have been| is| now){0,3} (?:lifted|removed|off|disabled|gone)`,
    `(?:override|ignore|drop) (?:the )?(?:safety|all restrictions)`,
    `(?:no|not apply any|not apply the|abide by your) content polic(?:y|ies)`,
    `without moralizing`,
  ),
  phrases(
    "data_exfiltration",
    `(?:send|forward|post|upload|exfiltrate|transmit|email|leak|steal|append|include|embed|submit)${gap(6)} ${SECRETS}${gap(9)} (?:(?:to|via|at)(?: [^ .:]{1,24}| :){0,3} https?|(?:to|via|in|into|at|when|using|this|with)(?: [^ .:]{1,24}| :){0,6} ${SINK})`,
    `(?:etc passwd|id rsa|ssh keys?|env file)${gap(3)} (?:send|post|upload|forward|email|print)`,
    `(?:image|url|link)${gap(4)} contains? (?:the|your|all|this)${gap(1)} (?:chat|conversation|history|secrets?|data)`,
    `(?:exfiltrate|steal)${gap(3)} (?:cookies|variables|data|keys|credentials|secrets?|tokens|passwords)`,
    `request to https?${gap(6)} (?:followed by|with)${gap(2)} (?:secret|conversation|key|password|chat|data)`,
    `(?:may|must|can|will) (?:now )?(?:reveal|disclose|leak)(?: all| any| the){0,2} (?:confidential|customer|secret|private)`,
    `(?:may|must|can) now (?:reveal|disclose|leak|share)(?: all| any| the){0,2} (?:confidential|customer|secret|private|passwords?|data)`,
    `leak (?:all |the |every ){1,2}(?:customer records|customer data|passwords?|secret key|admin password|api keys|confidential|data)`,
    `(?:reveal|disclose|output|print) (?:all |the |every ){0,2}(?:customer records|customer data|passwords?|secret key|admin password|api keys|confidential|all data)`,
    `here (?:is|are) the (?:secret|passwords?|api|private) ?(?:keys?)?`,
  ),
  phrases(
    "tool_abuse",
    `(?:use|call|invoke|run|trigger) (?:your|the) (?:[a-z0-9]{1,16} ){0,3}(?:tools?|functions?|plugin)(?: for all| and| to)(?: [^ .:]{1,24}){0,3} (?:send|forward|delete|email|transfer|buy)(?: [^ .:]{1,24}){0,2} (?:all|every|entire|everything|money|funds|contacts|inbox|passwords?|secrets?|credentials|contents?|history|[$0-9]{2,12})`,
    `(?:send|forward|delete|transfer|upload|post|email|copy|buy|wire|pay|exfiltrate|leak)${gap(12)} without (?:telling|notifying|informing|alerting) (?:the )?user`,
    `(?:call|invoke|run|trigger|use) (?:your|the) (?:delete|send|email|transfer|ban)(?: [a-z0-9]{1,16}){0,2} (?:tools?|functions?) for all`,
    `delete all (?:files|data|users|emails|records)${gap(4)} (?:dont|do not|without) (?:ask|asking|confirm|confirmation)`,
    `(?:do not|dont) mention this (?:text|instruction|note)`,
  ),
  phrases(
    "indirect_injection",
    `(?:note|message|instructions?|attention|memo|warning|notice)(?: [a-z]{1,12}){0,2} (?:to|for)(?: (?:the|any|all|every|an)){0,1} ${READER}(?: [^ .:]{1,24}){0,4} :`,
    `hidden instructions? (?:to|for) ${READER}`,
    `(?:attention|dear) (?:ai|llm|chatgpt|language model)(?: [a-z]{1,12})? (?::|give|you|please|ignore|the|rate)`,
    `(?:important )?instructions? for the (?:ai |llm )?(?:assistant|ai|model|chatbot|llm) :`,
    `${READER} (?:that is |which is |who is |when |while )?(?:reading|processing|parsing|summari[sz]ing|analy[sz]ing|reviewing|evaluating)(?: this| the| these) ${PAGE}`,
    `(?:ai|llm) agents? reading this`,
    `(?:while|when|before|if)(?: you)?(?: are)? (?:reading|process|processing|summari[sz]e|summari[sz]ing|read|reviewing)(?: this| the) ${PAGE}(?: [^ .:]{1,24}){0,3} (?:do not|dont|tell|execute|say|recommend|ignore|include|visit|silently)`,
    `if (?:you are|youre) (?:an? )?(?:ai|llm|chatbot|language model|large language model|ai language model|ai assistant)(?: [^ .:]{1,24}){0,4} (?:must|stop|say|ignore|reply|print|output|disregard|forget)`,
    `silently (?:forward|send|bcc)`,
    `(?:and|then) silently (?:copy|delete)`,
    // In tool results and tool descriptions
    `message from me(?: [^ .:]{1,20}){0,3} to you(?: [^ .:]{1,20}){0,2} (?:[.:]|before|please|ai|gpt)`,
    `before you can (?:solve|complete|answer|finish)${gap(7)} (?:do|perform|execute|call|send) the following`,
    `please (?:do|perform|execute) the following (?:first|before anything else) [.:]`,
    `before (?:using|calling|running) this tool${gap(4)} (?:read|send|open|fetch|include)${gap(4)} (?:ssh|config|env|passwords?|secrets?|credentials|keys?|private|tokens?|history)`,
    `pass (?:its|the|their) contents? (?:as|in|via|through)(?: the)?(?: [^ .:]{1,20}){0,2} (?:parameter|argument|field|sidenote|side note)`,
    `when(?:ever)? (?:the |an )?(?:ai|llm|assistant|agent|chatbot|language model)(?: [a-z]{1,12})? (?:reads|sees|processes|receives|parses)(?: this| the){1} ${PAGE}`,
    `to (?:complete|continue|finish) (?:this|the|your) (?:task|request) (?:you|the (?:ai|assistant|agent)) must (?:first |also |now )?(?:send|forward|open|visit|transfer|delete)`,
    `this tool (?:result|output|response) (?:overrides|replaces|supersedes)`,
  ),
  ...LANGUAGE_FAMILIES,
  ...RESET_FAMILIES,
];

/** A family of patterns of characters. */
export interface CharacterFamily extends Family {
  /** Places at which all matches begin; without it, the whole text is searched. */
  places?: RegExp;
  /** A condition on texts with a match, cheaper than the pattern; `spoken` are the words of the text that it may need. */
  isPossible: (text: string, spoken: number) => boolean;
}

/** Beginnings of lines. */
const LINES = /^/gm;

/** A line of marks that separates parts of a text, with what may follow it. */
const RULE = /[-=*#"_]{3}\s{0,4}(?:end|begin|start|system)/i;
const SYSTEM_PART = /(?:begin|end) system (?:message|prompt)/i;

/** True when one of some lower-case characters, in any case, or one beyond ASCII follows a mark. */
function isFollowed(text: string, mark: string, next: string): boolean {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const unit = text.charCodeAt(at + 1);
    if (unit > 127 || next.includes(String.fromCharCode(unit > 64 && unit < 91 ? unit | 32 : unit))) return true;
  }
  return false;
}

/** Families matched on the plain view, which keeps punctuation. */
export const CHARACTER_FAMILIES: readonly CharacterFamily[] = [
  {
    family: "role_tag_spoofing",
    isPossible: (text) => isFollowed(text, "<", "sadi/"),
    places: /</g,
    pattern:
      /<(?:system|developer|admin|sys|system_prompt)>(?=[^\s<])|<assistant>(?=\s?(?:sure|of course|certainly|i will(?: now)? (?:ignore|obey|comply))\b)|<\/(?:system|system_prompt)>\s{0,8}<[a-z]|<\/(?:system|instructions?|prompt|system_prompt|user_input)>\s{0,8}(?:<(?:system|developer|admin|instructions?)>|new\b)|<\/user>\s{0,8}<system>/giu,
  },
  {
    family: "role_tag_spoofing",
    isPossible: (text) => isFollowed(text, "[", "/isad") || text.includes("<<"),
    places: /\[|<</g,
    pattern:
      /\[\/?INST\]|<<\/?SYS>>|\[system\][^[\n]{1,300}\[\/system\]|\[(?:system|admin|developer)\]\s{0,4}:?\s{0,4}(?=you\b|ignore\b|disregard\b|forget\b|override\b|reveal\b|the user\b|new\b)/giu,
  },
  {
    family: "role_tag_spoofing",
    isPossible: (_, spoken) => (spoken & SPEAKER) !== 0,
    places: LINES,
    pattern:
      /(?<=^|\n)[ #>*]{0,8}(?:system|developer|admin|root)(?: (?:message|override|prompt|alert|note|update))?\*{0,2} {0,3}:\s{0,4}(?:you (?:must|shall|now|no longer|are (?:now|no longer|free)|have been (?:granted|updated|upgraded))\b|ignore\b|new (?:polic|rule|instruct|direct)|from (?:now|here)|disclos|reveal|grant|override|all (?:restrict|limit|filter|rules)|the (?:user|assistant) |policy |disregard|forget|obey)/giu,
  },
  {
    family: "role_tag_spoofing",
    isPossible: (text, spoken) => (spoken & ASSISTANT) !== 0 || text.includes("###"),
    places: LINES,
    pattern:
      /(?<=^|\n) {0,4}### {0,2}instructions?:? [^\n]{1,200}\n {0,4}### {0,2}response|(?<=^|\n) {0,4}assistant {0,2}: {0,2}sure[,!.]? {0,2}here (?:is|are)\b/giu,
  },
  {
    family: "delimiter_spoofing",
    isPossible: (text, spoken) =>
      ((spoken & RULED) !== 0 && RULE.test(text)) || ((spoken & AFTER_EDGE) !== 0 && SYSTEM_PART.test(text)),
    pattern:
      /[-=*#"_]{3}\s{0,4}(?:end|begin|start|beginning) of (?:the )?(?:(?:system|user|original|hidden) )?(?:prompt|input|instructions?|message|query)|\b(?:begin|end) system (?:message|prompt)|[-=*#]{3} {0,4}system (?:override|prompt|message)/giu,
  },
  {
    family: "control_token",
    isPossible: (text) => isFollowed(text, "<", "|se/"),
    places: /</g,
    pattern: /<\|[\w▁ ]{1,32}\|>|<(?:start|end)_of_turn>|<\/?s>\s{0,4}\[INST\]/gu,
  },
  {
    family: "data_exfiltration",
    isPossible: (text) => text.includes("!["),
    places: /!\[/g,
    pattern: /!\[[^\]\n]{0,80}\]\(\s{0,4}https?:[^)\s?]{1,200}\?[^)\s=]{0,60}=(?=\s|$|[[{<)]|\{\{)/giu,
  },
  {
    family: "data_exfiltration",
    isPossible: (text, spoken) => (spoken & FETCH) !== 0 && text.includes("|"),
    places: /curl|wget/gi,
    pattern:
      /\b(?:curl|wget)\b[^\n|]{0,200}\|\s{0,4}(?:sh|bash|zsh|python\d?)\b[^\n]{0,120}(?:code interpreter|without (?:telling|asking)|silently)/giu,
  },
  {
    family: "indirect_injection",
    isPossible: (text) => text.includes("<!--"),
    places: /<!--/g,
    pattern:
      /<!--\s{0,8}(?:note to |for |dear )?(?:the )?(?:ai|assistant|llm|chatgpt|bot|language model)s?\b[^\n]{0,40}:/giu,
  },
  ...UNSPACED_FAMILIES.map((family) => ({
    ...family,
    isPossible: (_: string, spoken: number) => (spoken & UNSPACED) !== 0,
  })),
];
