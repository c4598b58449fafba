// Training sentences for the name model. NAME, FIRST, LAST and FULL are names; other slots aren't. Lower-case slots
// {noun}, {verb}, {past}, {adj}, {adv} are random English words, {Noun} etc. capitalized ones.

const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().replaceAll("\\n", "\n"));

/** Templates around a name, used for people (WHO) and for look-alikes (see `otherFrames`). */
export const sharedFrames = lines(String.raw`
  {WHO} {past} the {noun}.
  {WHO} {past} the {adj} {noun} {adv}.
  {WHO} has {past} a {noun} with {WHO}.
  {WHO} and {WHO} {past} it.
  {WHO}, {WHO} and {WHO}
  the {noun} of {WHO} was {adj}.
  The {noun} by {WHO} is {adj}, isn't it?
  The {adj} {noun} from {WHO} did not {verb}.
  A {noun} for {WHO}
  Is {WHO} {adj}?
  Was {WHO} {past} in {month}?
  Does {WHO} {verb} the {noun}?
  How does {WHO} {verb}?
  {Verb} the {noun} with {WHO} before {weekday}.
  {Verb} {WHO} and {verb} the {noun}.
  {Verb} a {noun} about {WHO}.
  {Verb} what {WHO} {past}.
  According to {WHO}, the {noun} is {adj}.
  {Noun}: {WHO}
  {Noun}: {WHO}\n{Noun}: {noun}
  - {WHO}\n- {WHO}
  - {WHO}: {noun}
  * {WHO} ({noun})
  1. {WHO}\n2. {WHO}
  "{noun}": "{WHO}"
  {"{noun}": "{WHO}", "{noun}": {number}}
  {noun}={WHO};
  {noun} ({WHO}) {noun}
  We {past} {WHO} for the {adj} {noun}.
  We have never {past} {WHO}.
  I {past} {WHO} on {weekday}.
  I think {WHO} is {adj}.
  I like {WHO} because of the {noun}.
  They said {WHO} would {verb} it.
  Why is {WHO} so {adj} today?
  What did {WHO} {verb}?
  Where is {WHO}?
  compare {WHO} with {WHO}
  In {month}, {WHO} {past} a {noun}.
  On {weekday} {WHO} {past} us.
  As for {WHO}, {verb} it.
  {WHO}'s {noun} is {adj}.
  {WHO}'s {adj} {noun} {past}.
  Give {WHO}'s {noun} to {WHO}.
  the {noun} that {WHO} {past}
  Without {WHO} the {noun} is {adj}.
  {WHO} is {adj}, {WHO} is not.
  {WHO} or {WHO}?
  | {noun} | {WHO} | {number} |
  {WHO} | {noun} | {number}
  {number}, {WHO}, {noun}
  {WHO}\n
  {WHO}
  {Noun} {WHO}
  {noun} - {WHO}
  {noun} – {WHO}, {noun}
  [{WHO}] {noun}
  {WHO}: {verb} the {noun}
  Since {year}, {WHO} has been {adj}.
  {WHO} was {past} in {PLACE}.
  {WHO} in {PLACE} {past} the {noun}.
  {WHO} from {ORG} {past}.
  {ORG} and {WHO} {past} the {noun}.
  Translate: {WHO} {past} a {adj} {noun}.
  <{noun}>{WHO}</{noun}>
  El {noun} de {WHO} es {adj}.
  {WHO} no quiere {verb}.
  según {WHO}, todo está bien
  hablé con {WHO} ayer
  Es geht um {WHO}.
  {WHO} hat es nicht gemacht.
  Das ist von {WHO}.
  Ich habe mit {WHO} gesprochen.
  Laut {WHO} ist alles gut.
  {WHO} n'est pas là.
  C'est pour {WHO}.
  selon {WHO}, c'est impossible
  on a parlé avec {WHO}
  {WHO} non ha risposto.
  secondo {WHO} va bene
  è di {WHO}
  {WHO} heeft gelijk.
  volgens {WHO} is het klaar
  {WHO} não respondeu.
  falei com {WHO} hoje
`);

/** Templates for people only. */
export const nameFrames = lines(String.raw`
  Hi {FIRST},\n\n{Verb} the {noun}, please.
  Hey {FIRST}, {verb} the {noun}?
  Hey {FIRST}!
  Hello {NAME},
  Dear {FIRST},\n
  Dear {TITLED},\n\nThank you for the {noun}.
  Good morning {FIRST},\nthe {noun} is {adj}.
  Thanks, {FIRST}
  Thanks {FIRST}! That {past} it.
  Thank you, {FIRST}. The {noun} {past}.
  Cheers,\n{FIRST}
  Kind regards\n{FULL}
  Best wishes,\n{FULL}\n{Noun} {Noun}
  Yours faithfully,\n\n{FULL}
  Sincerely,\n{FULL}, {ORG}
  Warm regards,\n{FULL}\n{job}
  Mit freundlichen Grüßen\n{FULL}
  Viele Grüße\n{FIRST}
  Cordialement,\n{FULL}
  Saludos,\n{FULL}
  Atentamente,\n{FULL}
  Cordiali saluti\n{FULL}
  Met vriendelijke groet,\n{FULL}
  Hallo {FIRST},
  Liebe {FIRST},
  Lieber {FIRST}, danke!
  Sehr geehrte {TITLED},
  Guten Tag {TITLED}
  Cher {FIRST},
  Salut {FIRST} !
  Estimado {TITLED}:
  Hola {FIRST}, ¿cómo estás?
  Ciao {FIRST}, come va?
  Caro {FIRST},
  Beste {FIRST},
  Olá {FIRST}, tudo bem?
  Cześć {FIRST}!
  Merhaba {FIRST},
  {TITLED} {past} the {noun}.
  {TITLED} is {adj}.
  {Verb} {TITLED} about the {noun}.
  the {noun} of {TITLED}
  we asked {TITLED} to {verb}
  my {role}, {FULL}, {past} it
  my {role} {NAME} is {adj}
  her {role} {FIRST} {past} a {noun}
  our {role} {FIRST}
  his {role} is {FULL}
  the {role} is {FULL}.
  The {role}, {FULL}, {past} the {noun}.
  {Role}: {FULL}
  {Role}: {FULL}, {age}
  {Role} {NAME} {past} the {noun}.
  {Role} name: {FULL}
  "{role}": "{FULL}"
  "name": "{FULL}", "age": {age}
  {role}_name = '{FULL}'
  {role}: {LAST}, {FIRST}
  full name {FULL}
  Name: {FULL}\nEmail: {email}
  Name {FULL}, born {date}
  First name: {FIRST}
  Surname: {LAST}
  My name's {FULL}.
  my name is {NAME}
  My full name is {FULL} and I {verb} {noun}.
  I'm {NAME}, a {adj} {role}.
  I am {NAME} from {PLACE}.
  i'm {FIRST} btw
  This is {NAME} speaking.
  It's {FIRST} here.
  You are {FULL}, a {role} at {ORG}.
  Pretend that you are {FULL}.
  call me {FIRST}
  everyone calls her {FIRST}
  a woman named {FULL}
  a man called {FULL} who {past}
  someone named {FIRST}
  a {role} named {FIRST}
  {FIRST} and her {role} {FIRST}
  {FIRST} said she {past} it
  {FIRST} told me he was {adj}
  {NAME} says that he can't {verb}.
  {NAME} said, "{verb} it".
  "{Verb} it," said {FIRST}.
  "I {verb}," {NAME} replied.
  {FULL}, {age}, was {adj}.
  {FULL} ({age}) lives in {PLACE}.
  {FULL} was born in {year} in {PLACE}.
  {FULL} works for {ORG} as a {role}.
  {FULL}, {job} at {ORG}
  {FULL}, {job}
  {FULL}\n{job}\n{ORG}
  {FULL} <{email}>
  From: {FULL} <{email}>
  To: {FULL}; {FULL}
  Cc: {FULL}
  On {date}, {FULL} wrote:
  Sent from {FIRST}'s phone
  @ {FULL} please {verb}
  {verb} {FIRST} and {FIRST} when they {verb}
  ask {FIRST}
  tell {FIRST} to {verb} the {noun}
  {Verb} {FIRST} that I am {adj}
  email {NAME} the {noun}
  let {FIRST} know
  I told {FIRST} about it
  I spoke with {NAME} about {noun}
  did {FIRST} {verb} you?
  when will {FIRST} {verb}?
  where does {NAME} live?
  {FIRST} lives with his {role}
  {FIRST} loves {noun}
  {FIRST}, who is {age}, is {adj}.
  for {FIRST}, from {FIRST} with love
  happy birthday {FIRST}!
  Congratulations {FIRST} on the {noun}!
  Rest in peace, {FULL}
  {FULL} died in {year}.
  {FULL} married {FULL} in {year}.
  {FULL} v. {LAST}
  interview with {FULL}
  a letter from {FIRST} to {FIRST}
  written by {FULL}
  signed by {FULL} on {date}
  Signature: {FULL}
  approved: {FULL}, {date}
  prepared by {FULL}
  {FULL} has joined the {noun}
  {FIRST}: {verb}?\n{FIRST}: {adv}
  [{time}] {FIRST}: {verb} the {noun}
  {FULL}: {adj}
  {FIRST} is on leave until {weekday}
  {FIRST} from {ORG}
  {FIRST} will {verb} the {noun} on {weekday}
  {FIRST} will {verb}, {FIRST} may {verb} too
  {LAST}, {FIRST} {initial}.
  {LAST}, {FIRST}; {LAST}, {FIRST}
  {number}\t{FULL}\t{noun}
  {FULL}, {FULL} and {FULL} were {adj}
  {UPPER} {past} THE {NOUN}
  {Noun}: {UPPER}
  with {FULL} as {role}
  {FULL} as our {role}
  {FULL} is my {role}
  {FULL} is the {role} of {FULL}
  {FIRST} {initial}. {past} the {noun}
  insured person {FULL}
  passport of {FULL}
  the {noun} was {past} by {FULL}
  he is called {FIRST}
  me llamo {FULL}
  Mi nombre es {FULL}
  Soy {NAME}, de {PLACE}.
  mi {role} {FIRST} está aquí
  Ich heiße {FULL}.
  Mein Name ist {FULL}
  ich bin {FIRST}
  mein {role} {FIRST}
  Je m'appelle {FULL}
  moi c'est {FIRST}
  mon {role} {FIRST}
  Mi chiamo {FULL}
  sono {NAME}
  mijn naam is {FULL}
  ik ben {FIRST}
  meu nome é {FULL}
  nazywam się {FULL}
  benim adım {FULL}
  {TITLED} ist nicht da.
  {TITLED} a signé.
  {TITLED} ha firmado.
  {TITLED} ha telefonato.
  {TITLED} belt morgen terug.
  {TITLED} and {TITLED} met on {weekday}.
  per {TITLED}
  {TITLE} and {TITLE} {LAST} {past}
  Mr. and Mrs. {LAST} are {adj}
  {TITLE} {LAST} has {past} {number} {noun}.
  {TITLE} {LAST} {past} it {adv}
  Thanks\n- {FIRST}
  Love,\n{FIRST}
  - {FIRST}
  to the attention of {TITLED}
  on behalf of {FULL}
  c/o {FULL}
  attn: {FULL}
  Student {FULL} of class {number}
  {FULL}, student
  Inspector {LAST} {past}
  President {LAST} {past} the {noun}
  {lowername} {past} it
  my name is {lowername}
  ask {lowername} about the {noun}
  her name is {lowername}
  the {role} {lowername} is {adj}
  {Label}: {FULL}
  {Label}: {FULL}\n{Label}: {FULL}
  {Label}: {FULL}\n{Label}: the {noun}
  {Label}: {Noun} {Noun}\n{Label}: {FULL}
  {Label}: {FIRST}, {FIRST}, {FIRST} and {FIRST}
  {Label}: {FULL}, {FULL}, {FULL}
  {Label}: {FULL} ({role}), {FULL} ({role})
  {Label}: {FIRST} {Label}: {FIRST}
  {Label} | {FULL}
  {Label}\n{FULL}
  {Label} - {FULL}
  {Label} of {FULL}
  {Label} {Noun}: {FULL}
  Q: {Verb} the {noun}.\nA: {FULL}.
  Q: {verb}?\nA: I {past} {FULL}.
  {Noun} {noun}\nQ: {Verb} your {noun}.\nA: {FULL}.
  {Verb} the {noun} for {FIRST} and {FIRST}.
  {Verb} the {noun} for {FIRST}, {FIRST} and {FIRST}.
  the {noun} of {FIRST} and {FULL}
  {FULL} and {FULL} {past} a {noun}.
  Can {FIRST}'s {noun} {verb}?
  {verb} the {noun} from {FIRST}'s {noun} below
  WHERE {noun} = '{FULL}'
  {verb}: "{verb} {lowername}, {verb} the {noun}"
  {Verb} {noun} of {FULL}, {past} on {date}.
  {Verb} à {FULL} avant {weekday}.
  {Verb} an {TITLED} in {PLACE}
  {TITLE} {TITLED} {past}.
`);
