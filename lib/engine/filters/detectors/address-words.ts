const set = (words: string) => new Set(words.trim().split(/\s+/));

/** Street types after a name: 12 Harbour Road. */
export const TYPES_AFTER =
  set(`street st str road rd avenue ave av boulevard blvd lane ln drive dr court ct place pl plaza square sq terrace ter tce way wy close crescent cres circle cir parkway pkwy pky highway hwy trail trl
  gardens gdns grove gr mews row walk wharf quay hill rise view vale green yard gate esplanade parade pde promenade alley bypass crossing loop mall path pike point ridge run turnpike cottages villas expressway freeway fwy
  marg nagar chowk bazaar caddesi sokak sokağı bulvarı`);

/** Streets without a type. */
export const STREETS_ALONE = set(
  `broadway piccadilly strand kingsway bowery embarcadero esplanade haymarket cheapside`,
);

/** Street types before a name, lower case or capitalized: rue de la Paix 12. */
export const TYPES_BEFORE =
  set(`rue avenue boulevard impasse allée allee chemin quai cours place passage route square villa faubourg sentier
  calle avenida avda avd paseo plaza plazuela camino carretera ronda rambla travesía travessera pasaje glorieta carrera callejón rúa carrer
  via viale corso piazza piazzale largo vicolo strada lungomare lungotevere contrada salita borgo
  rua travessa praça largo alameda estrada ul ulica aleja al jalan jl ulitsa laan`);

/** Suffixes of street names: Hauptstraße, Keizersgracht, Kungsgatan. */
export const STREET_ENDINGS: readonly string[] =
  "straße strasse str gasse gässchen weg allee platz ring ufer damm steig chaussee markt gracht straat laan plein kade dijk singel hof steeg dreef vej gade gatan vägen gata veien katu tie utca wall graben stieg berg kamp park twiete promenade".split(
    " ",
  );
export const STREET_ENDING = new RegExp(`(?:${STREET_ENDINGS.join("|")})$`);

/** Street suffixes that are also separate words. */
export const STREET_WORDS = set(
  `straße strasse str weg gasse allee platz ring ufer damm chaussee straat laan plein gracht kade caddesi cad sokak sokağı bulvarı`,
);

/** Parts of a building, followed by a number. */
export const UNITS =
  set(`apt apartment suite ste unit flat level floor fl bldg building block blk plot room rm shop house tower wing gate warehouse hangar lot no nº n° nr n h.no sector phase road street cross lane stage piso planta puerta
  portal escalera interno int scala bât bat appt étage etage hs bus lok m. km box station rr ward door site stop district zone villa shed bay`);

/** Floors and sides, with or without a number before them. */
export const SIDES = set(
  `floor fl izquierda izq derecha dcha bajo bis ter quater hs etage stock piso planta main cross block stage`,
);

export const DIRECTIONS = set(`n s e w ne nw se sw north south east west northeast northwest southeast southwest`);

/** Small words within street and town names. */
export const SMALL = set(
  `de la le les des du d' l' del della delle dei degli di da do das dos van der den het 't op upon on the of am an im in zum zur unter auf dem bei y e i and sur sous en aux au saint st ste`,
);

/** States, provinces and territories that precede a postcode. */
export const REGIONS =
  set(`al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc
  ab bc mb nb nl ns nt nu on pe qc sk yt nsw vic qld sa tas act
  alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana
  nebraska nevada hampshire jersey mexico york carolina dakota ohio oklahoma oregon pennsylvania island tennessee texas utah vermont virginia washington wisconsin wyoming
  ontario quebec québec manitoba alberta saskatchewan scotia brunswick columbia labrador victoria queensland tasmania wales`);

/** Words before a number that isn't a house number. */
export const NUMBERED =
  set(`chapter version section page article table figure model paragraph act scene episode season volume part step line item issue question lesson grade class round game match psalm bus exit junction route
  appendix clause day week month year under`);
