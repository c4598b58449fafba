// Sentences without people for training the name model; see name-templates.ts for the slots.

const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().replaceAll("\\n", "\n"));

/** Sentence templates without people. */
export const otherFrames = lines(String.raw`
  {Verb} the {noun}, then {verb} it.
  {Noun}\n{Noun} {Noun}\n{Adj} {Noun}
  {Adj} {noun} for {adj} {noun}
  # {Noun} {Noun}\n\n{Verb} the {noun}.
  ## {Adj} {Noun} and {Noun}
  {Title}
  {Title}: {Title}
  The {BARE} {noun} is {adj}.
  the {BARE} {noun} {past} in {month}
  a {BARE} {noun} and a {BARE} {noun}
  {BARE} {noun} is {adj}.
  {BARE} and {BARE} raised prices.
  {BARE}, {BARE} and {BARE} make {noun}.
  {BARE} closed its {noun} in {PLACE}.
  {BARE}'s {adj} {noun} law
  How does {BARE} compare to {BARE}?
  Buy {BARE} or {BARE}?
  Does {BARE} make {noun}?
  a playlist with {BARE}, {BARE} and {BARE}
  We tested {BARE}, {BARE} and {BARE}.
  drive through {PLACE} and {BARE}
  {NAMESAKE} is {adj}.
  {Verb} {NAMESAKE} and {NAMESAKE}.
  a {NAMESAKE} {noun}
  {NAMESAKE} raised its prices in {month}.
  {Noun} {BRAND}: {Noun} {past}
  {BRAND}: {Noun}, {Noun}, {Noun}
  Subject: {Noun} of {noun}
  Subject: Re: {Noun} {noun}
  See {Noun}.md and the {Noun} {Noun} guide.
  Add {DISH}, {DISH} and {DISH} to the pan.
  {Noun} out the {noun} first.
  {Noun} the {noun} and {noun} it.
  {Noun} {noun} on {BRAND} beats {BRAND}.
  Dear Sir or Madam,
  To whom it may concern
  {AMBIGUOUS} the {noun} as {adj}.
  {AMBIGUOUS} {noun} are {adj}.
  {AMBIGUOUS} {past} {BRAND} two nil.
  Is {AMBIGUOUS} south of {PLACE}?
  {AMBIGUOUS} out the {noun}.
  the {AMBIGUOUS} {noun}
  I love {BARE}'s {Noun} {noun}.
  Il {Noun} di {PLACE} è {adj}.
  um {GERMAN} bis {weekday}
  {GERMAN} und {GERMAN}
  Die {GERMAN} und der {GERMAN} sind hier.
  Das {GERMAN} der {GERMAN}
  Bitte um {GERMAN}.
  {Noun} Policy: {Noun} must be {past}.
  {PLACE} borders {PLACE}, {PLACE} and {PLACE}.
  {PLACE} is {adj}.
  {Noun}: {Adj} {Noun}
  {Noun}: {Adj}
  {Noun}: {number}\n{Noun}: {Adj}
  {"{Noun}": "{Adj}"}
  {Verb} {noun}. {Verb} {noun}. {Verb} {noun}.
  The {Adj} {Noun} {past} in {PLACE}.
  The {Noun} {Noun} of {PLACE}
  {CAPS} {CAPS} {CAPS}
  {CAPS}: {verb} the {noun}
  Dear {Noun} {Noun},
  Dear customer,
  Hi all,\nthe {noun} is {adj}.
  Hello everyone,
  Hello World
  Regards,\nThe {Noun} Team
  Yours,\n{ORG}
  Best,\n{ORG} {Noun}
  Thanks,\n{Noun} Department
  Thank you for calling {ORG}.
  a flight from {PLACE} to {PLACE}
  {PLACE}, {PLACE} and {PLACE} are {adj}.
  We moved to {PLACE} in {month}.
  {month} and {month} are {adj}.
  {month} {number}, {year}
  {weekday}, {weekday} and {weekday}
  In {month} we {verb}; in {month} we {past}.
  by {month} or {weekday} at the latest
  Will it {verb} in {month}?
  May I {verb} the {noun}?
  Mark the {noun} as {adj}.
  Bill the {role} for the {noun}.
  Will the {noun} {verb} by {month}?
  Can {ORG} {verb}?
  Sue them for the {noun}.
  Art and {noun} are {adj}.
  Grant me the {noun}.
  Chase the {noun} up.
  Frank words, {adj} deeds.
  Grace and hope {verb}.
  Dawn came, and the {noun} {past}.
  Rich {noun}, poor {noun}
  Bob the {noun} up and down.
  Drew a {noun} on the {noun}.
  Pat it dry, then {verb}.
  Rose bushes and {noun}
  the {noun} will mark a {noun}
  he will drew may grant bill
  {EPONYM} is {adj}.
  Explain {EPONYM}.
  What is {EPONYM}?
  I {past} a {EPONYM} at {PLACE}.
  {Verb} the {EPONYM} and the {EPONYM}.
  How is {EPONYM} {past}?
  {VEHICLE} or {VEHICLE}?
  I drive a {VEHICLE}.
  Sell my {VEHICLE} from {year}.
  My {VEHICLE} {past} near {PLACE}.
  Have you read {BOOK}?
  {BOOK} is a {adj} {noun}.
  Summarise {BOOK}.
  {SONG} by that band is {adj}.
  Play {SONG} and then {SONG}.
  The album {SONG} came out in {year}.
  fly to {AIRPORT}
  {AIRPORT} is {adj}.
  with {AIRLINE} from {PLACE}
  at {STREET} in {PLACE}
  {STREET} is closed.
  turn onto {STREET}
  {number} {STREET}, {PLACE}
  the corner of {STREET} and {STREET}
  Deliver to {number} {STREET}.
  the {THING} is {adj}
  The {THING} {past} in {month}.
  {THING} and {THING} are {adj}
  She studied at {THING}.
  at the {THING} in {PLACE}
  {THING} was {past} in {year}.
  {Verb} {THING}.
  Is {THING} {adj}?
  {ORG} bought {ORG} in {year}.
  {ORG}, {ORG} and {ORG} {past}.
  Shares of {ORG} {past}.
  Does {ORG} {verb} {noun}?
  an invoice from {ORG}
  {ORG} stock
  I use {BRAND}, {BRAND} and {BRAND}.
  {BRAND} vs {BRAND}
  {Verb} {BRAND} with {BRAND}.
  a {BRAND} {noun}
  How do I {verb} {BRAND} on {BRAND}?
  The {BRAND} {noun} is {adj}.
  Migrate from {BRAND} to {BRAND}.
  Install {BRAND}, then {verb} {noun}.
  {BRAND} {number} {past} the {noun}.
  Order a {BRAND} and a {BRAND}.
  {CHEMICAL} and {CHEMICAL} react.
  {ANIMAL} and {ANIMAL} are {noun}.
  a {ANIMAL} at the zoo
  Cook {DISH} with {DISH}.
  {DISH} is {adj}.
  {LANGUAGE} and {LANGUAGE} are {adj} languages.
  Translate this into {LANGUAGE}: {noun}
  the {LANGUAGE} {noun}
  {Noun}Service and {Noun}Controller
  class {Noun}{Noun} extends {Noun}
  Error: {Noun} not {past}
  TypeError: {Noun}.{verb} is not a function
  File "{noun}.py", line {number}, in {verb}
  {PRODUCT}
  {PRODUCT} costs {number}.
  Write a review of the {PRODUCT}.
  {JOB} wanted in {PLACE}
  As a {JOB}, I {verb} {noun}.
  {JOB}, {ORG}
  Our {JOB} and our {JOB} {verb}.
  Ask your {role} about the {noun}.
  the {role} and the {role} {past} the {noun}
  {Role} {past} the {noun}.
  {Role}: none
  {Role}: to be {past}
  {CURRENCY} rose against the {CURRENCY}.
  {HACKER}
  {SLOGAN}
  {SLOGAN} by {ORG}
  You are a helpful {role}. {Verb} the {noun}.
  System: {Verb} {noun} only.\nUser: {verb} it
  User: {Verb} the {noun}\nAssistant: {Noun} {past}.
  Step {number}: {Verb} the {Noun}
  Chapter {number}: The {Noun} of {Noun}
  Table {number}. {Noun} by {Noun}
  Q{number} {Noun} {Noun} Review
  Los {noun} de {PLACE} son caros.
  ¿Dónde está el Museo de {PLACE}?
  Buenas tardes, quisiera cancelar mi pedido.
  Necesito una factura de {ORG}.
  Gracias por su respuesta.
  El Ministerio de Hacienda publicó la ley.
  La Universidad de {PLACE} abre en {number}.
  Das Finanzamt hat den Bescheid geschickt.
  Die Rechnung von {ORG} ist im Anhang.
  Der Zug nach {PLACE} hat Verspätung.
  Bitte senden Sie den Vertrag an die Firma.
  Wo ist der Bahnhof in {PLACE}?
  Die Wohnung hat Küche, Bad und Balkon.
  Im Frühling blühen die Blumen im Garten.
  Schreibe eine Zusammenfassung über die Geschichte der Stadt {PLACE}.
  Das Kind spielt mit dem Hund im Park.
  Vielen Dank für Ihre Hilfe und Geduld.
  Der Mieter zahlt die Miete, der Vermieter die Steuer.
  Können Sie mir die Bedienungsanleitung für den Drucker schicken?
  Le train pour {PLACE} est en retard.
  Bonsoir, je voudrais une facture de {ORG}.
  Le Conseil d'État et la Cour de cassation
  La Banque de {PLACE} a fermé.
  Merci pour votre aide.
  Où se trouve la Place de la Mairie ?
  Il treno per {PLACE} è in ritardo.
  Buonasera, vorrei una fattura da {ORG}.
  L'Università di {PLACE} è grande.
  Grazie per la risposta.
  De trein naar {PLACE} is te laat.
  Goedemiddag, ik wil mijn bestelling annuleren.
  De Belastingdienst stuurt een brief.
  Bom dia, preciso de uma fatura da {ORG}.
  O Banco do {PLACE} fechou.
  Dzień dobry, proszę o fakturę z {ORG}.
  {ORG}'den fatura istiyorum.
  see {Noun} > {Noun} > {Noun} {Noun}
  Click {Noun} and then {Adj} {Noun}.
  The {Noun} Act of {year} {past} {noun}.
  Version {number}.{number} "{Noun}" {past}
  God, Buddha and Zeus
  Happy Christmas and a merry New Year
  Monday Morning {Noun} Club
  North {PLACE} and South {PLACE}
  New {PLACE} and {PLACE} City
  {ADJCAP} {Noun} in {PLACE}
  the {ADJCAP} {noun}
  {Label}: the {noun}
  {Label}: none
  {Label}: {number}
  {Label}: {noun}, {noun} and {noun}
  {Label}: {Noun}\n{Label}: {Noun}
  {Label}: {Adj} {Noun}\n{Label}: {noun}
  {Label}\n- {noun}\n- {noun}
  {Label}: {ORG}
  {Label}: {PLACE}
  {Label} | {Label} | {Label}
  {Label}, {Label}, {Label}
  {Label} and {Label} are {adj}.
  The {Label} {past} the {noun}.
  Q: {Verb} the {noun}?\nA: {Verb} it.
  Q: What is {noun}?\nA: {Noun}.
  {INSTITUTION} is {adj}.
  {INSTITUTION} and {INSTITUTION} {past} the {noun}.
  {INSTITUTION}, {INSTITUTION} or {INSTITUTION}?
  {INSTITUTION} {past} my {noun}.
  a {noun} at {INSTITUTION}
  She {past} {noun} at {INSTITUTION} in {year}.
  the {INSTITUTION} {noun}
  {Verb} {INSTITUTION} and {INSTITUTION} on {noun}.
  {INSTITUTION}'s {noun} {past} {number} {noun}.
  {BARE}'s of {PLACE} {past} the {noun}.
  {BARE}'s {adj} {noun}
  {BARE}'s {adj} law is about {noun}.
  {BARE}'s {Noun} {noun} for {noun}
  {TOWN}, {STATE} is {adj}.
  Does {TOWN}, {STATE} have a {noun}?
  {Noun} in {TOWN}, {STATE} {past}.
  from {TOWN}, {STATE} to {TOWN}, {STATE}
  We {past} to {TOWN}, {STATE} in {year}.
  the {noun} near {TOWN}, {STATE}
  {INSTITUTION} {past} against the {noun} while {INSTITUTION} {past}.
  {BRAND} {BRAND} and {BRAND} {noun}
  {Verb} {Noun} {BRAND} and {BRAND}.
  a {BRAND} {Noun} {noun} for {Noun} {BRAND}
  {PLACE} {Noun} was {past}.
  {PLACE} {Noun} and {PLACE} {Noun} {verb}.
  {Verb} {DISH}, {AMBIGUOUS} and {AMBIGUOUS} to the {noun}.
  Den {GERMAN} hat {GERMAN} geschickt.
  hat den {GERMAN} unterschrieben
  der {GERMAN} vom {GERMAN}
  {PROPER} and {PROPER} are {adj}.
  {PROPER} or {PROPER}?
  What is {PROPER}?
  How {adj} is {PROPER}?
  the {PROPER} {noun}
  a {PROPER} {noun} for my {noun}
  {PROPER} {Noun} {past} the {noun}.
  {PROPER} {PROPER} is {adj}.
  {Verb} {PROPER} with {PROPER} and {noun}.
  {Verb} a {noun} in {PROPER}.
  Is {PROPER} {adj} with {PROPER}?
  {number} mg of {PROPER} a {noun}
  My {PROPER} {past} again.
  We {past} {PROPER} in {month}.
  {PROPER} {past} its {noun} in {PLACE}.
  {PROPER}'s {noun} is {adj}.
  {PROPER}, {PROPER}, {PROPER}
  {PROPER}: {noun} and {noun}
  {Noun} {PROPER} {noun}
  {PROPER} by {ORG}
  {Noun} of the {Noun}
  The {Noun} of {PROPER}
  {PLACE} {PROPER} {past}.
  {BRAND} {PROPER} and {BRAND} {noun}
`);
