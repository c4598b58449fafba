// Words missing in the packages used for training.

const words = (text: string) => text.trim().split(/\s+/);

/** Romanized given and family names of languages that the packages cover only in their own script. */
export const ROMANISED: { first: string[]; last: string[] }[] = [
  {
    // Arabic and Persian
    first:
      words(`Ahmad Ali Amir Hassan Hussein Ibrahim Ismail Jamal Karim Khaled Mahmoud Mohamed Mohammad Muhammad Mustafa Nabil Omar Rami Rashid Saeed Salim Samir Tariq Walid Yasin Youssef Ziad
      Abdullah Bilal Faris Ghassan Hamid Ayman Marwan Nasser Adel Reza Hossein Mehdi Behrouz Dariush Kaveh Amal Amina Aisha Dina Farida Hala Hanan Huda Khadija Layla Leila Lubna Maha Malak Maryam Mona
      Nadia Nour Rania Rim Salma Samia Sana Yasmin Zahra Zeinab Soraya Shirin Parisa Nasrin Mahsa Fatima Noor Hamza Faisal Imran Zainab Bassam Tamer Sherif`),
    last: words(`Abbas Abdallah Ahmed Amari Aziz Bakri Bishara Darwish Fayad Ghanem Habib Haddad Hakim Hamdan Hashemi Hosseini Jaber Kanaan Karimi Khalifa Khan Khoury Mansour Masri Moradi Najjar Nasr Qasim
      Rahimi Rahman Saad Sabbagh Saleh Salem Shaheen Sharif Suleiman Tehrani Zaki Zidan Benali Bouazza Cherif Mansouri Ziani Haidar Nassar Issa Siddiqui Malik Hussain Chaudhry Qureshi Iqbal Butt`),
  },
  {
    // Chinese, in pinyin
    first:
      words(`Bo Chao Chen Cheng Fang Fei Feng Gang Guang Hai Hao Hong Hua Hui Jian Jie Jing Jun Kai Lan Lei Li Lin Ling Long Mei Meiling Min Ming Na Ning Peng Ping Qiang Qing Rong Rui Shan Shu Tao Ting
      Wei Wen Xia Xiang Xiaoli Xiaohong Xiaoyan Xin Xiu Xue Yan Yang Yi Ying Yong Yu Yuan Yue Yun Ze Zhen Zhi Zhiyuan Weiming Jianguo Xiaolong Yifan Zihan Haoran Yuxuan Meihua Guoqiang`),
    last: words(`Bai Cai Cao Chang Chen Cheng Chu Cui Deng Ding Dong Du Fan Fang Feng Fu Gao Ge Gong Gu Guo Han He Hou Hu Huang Jia Jiang Jin Kong Lei Li Liang Liao Lin Liu Lu Luo Ma Mao Meng Pan Peng Qian Qiu Ren
      Shao Shen Shi Song Su Sun Tan Tang Tian Wan Wang Wei Wu Xia Xiao Xie Xiong Xu Xue Yan Yang Yao Ye Yin Yu Yuan Zeng Zhang Zhao Zheng Zhong Zhou Zhu Zou`),
  },
  {
    // Japanese
    first:
      words(`Akira Akiko Aya Ayumi Chiyo Daiki Daisuke Emi Eri Hana Haruki Haruto Hideo Hikari Hina Hiroki Hiroshi Hitomi Ichiro Jiro Jun Kaito Kaori Kazuki Kazuo Keiko Kenji Kenta Koji Kumiko Kyoko Makoto Mariko
      Masao Megumi Michiko Miho Mika Minoru Misaki Naoki Naomi Natsumi Noboru Osamu Ren Rie Riku Ryo Sachiko Sakura Satoshi Shigeru Shinji Shun Sota Sumiko Tadashi Takashi Takeshi Taro Tomoko Toru Yoko Yoshiko
      Yui Yuji Yuki Yukiko Yumi Yusuke Yuta`),
    last: words(`Abe Aoki Arai Endo Fujii Fujita Fukuda Goto Hara Harada Hasegawa Hashimoto Hayashi Ikeda Imai Inoue Ishida Ishii Ishikawa Ito Kato Kimura Kobayashi Kojima Kondo Kudo Maeda Matsuda Matsumoto Miura
      Miyazaki Mori Murakami Nakajima Nakamura Nakano Nishimura Noguchi Ogawa Okada Okamoto Ono Ota Saito Sakai Sakamoto Sasaki Shibata Shimizu Sugiyama Suzuki Takada Takagi Takahashi Takeda Tamura Ueda Ueno
      Wada Watanabe Yamada Yamaguchi Yamamoto Yamazaki Yokoyama Yoshida`),
  },
  {
    // Korean
    first: words(
      `Ji-hoon Min-jun Seo-yeon Ha-eun Jae-hyun Sung-min Hye-jin Eun-ji Dong-hyun Soo-jin Young-ho Mi-kyung Jihoon Minjun Seoyeon Haeun Jaehyun Sungmin Hyejin Eunji Donghyun Soojin Younghee Minho Taehyung Yuna`,
    ),
    last: words(
      `Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Oh Seo Shin Kwon Hwang Ahn Song Ryu Hong Jeon Moon Baek Nam Noh Chung Bae`,
    ),
  },
  {
    // Russian, Ukrainian, Bulgarian, Serbian
    first:
      words(`Aleksandr Aleksei Anatoly Andrei Anton Boris Dmitry Evgeny Fyodor Gennady Grigory Ilya Ivan Kirill Konstantin Leonid Maksim Mikhail Nikita Nikolai Oleg Pavel Pyotr Roman Ruslan Sergei Stanislav
      Vadim Valery Vasily Viktor Vitaly Vladimir Vladislav Vyacheslav Yaroslav Yuri Taras Bohdan Oleksandr Mykola Anastasia Alyona Daria Ekaterina Elena Galina Inna Irina Ksenia Larisa Lyudmila Lyubov Marina Nadezhda
      Natalia Natasha Oksana Olga Polina Svetlana Tatiana Valentina Vera Yelena Yulia Zhanna Olena Iryna Kateryna Yana`),
    last: words(`Abramov Aleksandrov Andreev Antonov Baranov Belov Bogdanov Bondarenko Borisov Chernov Davydov Egorov Fedorov Filippov Gerasimov Golubev Grigoriev Gusev Ilyin Ivanenko Ivanov Ivanova Kalinin Karpov Kiselev
      Komarov Kovalenko Kovalev Kozlov Kozlova Kuznetsov Kuznetsova Lebedev Lysenko Makarov Marchenko Markov Melnik Mironov Morozov Nikitin Novikov Orlov Orlova Pavlov Petrenko Petrov Popov Popova Romanov Savchenko
      Semenov Shevchenko Sidorov Smirnov Smirnova Sokolov Sokolova Soloviev Tarasov Tkachenko Titov Vasiliev Vinogradov Vorobyov Yakovlev Zaitsev Zakharov Dimitrov Georgiev Todorov`),
  },
  {
    // Greek, Hebrew, Armenian, Georgian
    first:
      words(`Alexandros Andreas Angelos Apostolos Christos Dimitra Dimitris Eleftheria Evangelia Fotini Georgia Giorgos Ioanna Ioannis Katerina Konstantinos Kostas Maria Nikolaos Nikos Panagiotis Paraskevi Sofia Spyros
      Stavros Thanos Vasiliki Vasilis Yiannis Avi Avigail Chaim Dov Eitan Eliyahu Hadas Itai Maya Menachem Mordechai Moshe Noam Noa Ofer Rivka Shira Shlomo Tal Tamar Uri Yael Yaakov Yitzhak Ani Armen Davit Giorgi
      Hayk Levan Nino Tigran Zurab`),
    last: words(`Alexiou Antoniou Christodoulou Dimitriou Economou Georgiou Ioannou Karagiannis Konstantinou Makris Nikolaidis Oikonomou Papadopoulos Papadopoulou Pappas Theodorou Vasiliou Vlachos Avraham Ben-David Biton
      Cohen Friedman Katz Levi Levy Mizrahi Peretz Rosenberg Shapira Weiss Grigoryan Harutyunyan Petrosyan Sargsyan Beridze Kapanadze Lomidze`),
  },
  {
    // West and East Africa
    first:
      words(`Abena Adwoa Afua Akosua Ama Amadou Aminata Awa Babajide Bola Bolanle Chidi Chinedu Chinwe Chioma Chisom Ebele Efua Emeka Esi Femi Folake Funmilayo Gathoni Ibrahima Idris Ikenna Isatou Jabari Kamau Kelechi Kofi
      Kojo Kwame Kwesi Lamine Makena Mamadou Mariama Moussa Muthoni Nana Nia Njeri Nneka Nyambura Obinna Okechukwu Oluwafemi Onyeka Otieno Ousmane Segun Sekou Seydou Simisola Temitope Tendai Titilayo Tunde Uche
      Uchenna Wairimu Wambui Yaa Yaw Yetunde Zawadi Thandiwe Sipho Lerato Nomvula`),
    last: words(`Abiola Acheampong Achebe Addo Adeleke Adeyemi Agyeman Akande Akinyi Amoah Ansah Appiah Asante Ba Balogun Bah Barry Bello Boateng Camara Chukwu Cisse Conteh Danjuma Diop Dlamini Eze Fall Gueye Ibe Igwe
      Kamara Kariuki Keita Kimani Koroma Kuti Lawal Maina Mbeki Mensah Mohammed Musa Mutua Mwangi Nduka Ndiaye Ngugi Njoroge Nkosi Ochieng Odhiambo Ogunleye Ojo Okafor Okeke Okoro Olawale Omondi Onyango Osei
      Owusu Sarr Sesay Sow Sy Toure Traore Wanjiku Yeboah Moyo Ndlovu Khumalo Zulu`),
  },
];

/** Given names that are also words or places. */
export const AMBIGUOUS =
  words(`Will Mark Grace Hope Joy April May June Rose Faith Art Bill Rob Sue Pat Jack Frank Drew Dawn Summer Max Ray Chase Grant Lance Miles Rich Robin Victor Dean Earl Ruby Jasmine Ivy Daisy Iris Violet
  Lily Olive Basil Ginger Gene Guy Angel Christian Jordan Chelsea Virginia Austin Dallas Paris Georgia Charlotte Savannah Brooklyn Chester Lincoln Carson Mason Hunter Carter Cooper Taylor Ben Sandy Penny Wade Cliff Glen Heath Dale
  Forest Sky Crystal Amber Jade Pearl Opal Autumn Melody Harmony Patience Precious Blessing Innocent Felicity Constance`);

/** Words common in e-mail and software. */
export const EXTRA_COMMON =
  words(`fwd re cc bcc readme faq url api sdk ui id ok elif pdf csv json xml html css sql iphone ipad email inbox login logout signup todo fixme changelog config admin app apps blog dashboard endpoint frontend
  backend github online offline webinar workflow chatbot covid wifi laptop smartphone selfie podcast hashtag emoji startup crypto bitcoin blockchain`);

/** Titles before a name. */
export const TITLES =
  words(`Mr Mrs Ms Miss Mx Dr Prof Professor Sir Madam Mister Herr Herrn Frau Señor Señora Señorita Sr Sra Srta Don Doña Monsieur Madame Mademoiselle Mme Mlle Maître Signor Signora Signore Sig Dott Dottor
  Dottore Dottoressa Meneer Mevrouw Dhr Mevr Senhor Senhora Pan Pani Bay Bayan Captain Sergeant Officer Judge Justice Rev Father Sister Nurse Uncle Aunt Auntie Grandpa Grandma Shri Smt Detective Lieutenant Colonel
  General Coach Chef Capt Sgt Lt Hon`);

/** Particles that join the parts of a name. */
export const PARTICLES = words(
  `de da do dos das del della di du des la le van von der den ter ten zu zum y e bin bint ibn al el ben abu san mac mc st af av`,
);

/** Words after a name that mark it as something other than a person. */
export const TAILS =
  words(`street st. road avenue ave boulevard blvd lane drive square plaza place court park bridge tower building house hall center centre stadium arena airport station terminal harbor bay beach island river lake
  creek mountain mount valley falls forest county city town township district heights hills university college school academy institute hospital clinic church cathedral library museum theatre theater gallery hotel inn resort
  inc ltd llc llp plc corp corporation company co gmbh ag sa srl spa bv nv kg group holdings bank partners associates brothers sons industries motors foods airlines records press publishing pharmaceuticals technologies
  systems labs software studio studios foundation trust act law laws theorem theory equation conjecture principle paradox effect constant number numbers scale method algorithm test index curve distribution function
  transform model disease syndrome palsy bias razor award prize medal cup trophy open championship festival doctrine plan treaty accord agreement convention rule rules amendment bill report commission committee council
  edition series collection album song novel movie film play musical sauce salad sandwich tea whisky beer pie cake process engine motor machine cell tube telescope mission shuttle rover line express strasse straße gasse
  platz weg allee straat plein laan gracht`);

/** Roles of a person. */
export const ROLES =
  words(`colleague manager boss supervisor assistant client customer patient tenant landlord landlady owner applicant candidate employee contractor lawyer attorney accountant nurse doctor teacher professor student
  pupil neighbor neighbour friend wife husband partner spouse son daughter brother sister mother father mum mom dad uncle aunt cousin nephew niece grandmother grandfather grandson granddaughter girlfriend boyfriend fiancé
  fiancée roommate flatmate author editor reviewer assignee reporter sender recipient signatory witness defendant plaintiff victim suspect guest passenger driver buyer seller vendor agent speaker host interviewer
  interviewee intern recruiter engineer developer designer analyst consultant director president secretary treasurer chairman chairwoman founder ceo cto cfo coo hr plumber electrician therapist dentist coach trainer
  complainant respondent claimant petitioner appellant deponent notary trustee executor lessee lessor mortgagor debtor creditor donor payee payer insured
  policyholder subscriber member delegate panelist moderator facilitator presenter scribe caller approver committer maintainer organizer organiser stakeholder invitee nominee donee grantee licensee trainee mentor mentee
  guardian beneficiary spokesman spokeswoman spokesperson heir name contact attendee participant kollege kollegin chef nachbar nachbarin patientin mieter kunde kundin colega jefe jefa cliente paciente vecino
  vecina hermano hermana collègue voisin voisine locataire gérant collega paziente cliente inquilino vicino amico amica`);

/** Brands, products and services that look like names of people or like no known word. */
export const BRANDS =
  words(`Adidas Airbnb Ansible Audi Azure BMW Boeing Canon Cassandra Celery Chanel Cisco Claude Confluence Costco Cypress Datadog Debian Dior Elastic Elasticsearch Ericsson Etsy Excel Facebook Fedora Figma
  Firefox Gemini Gillette GitHub GitLab Google Gradle Grafana Gucci Hadoop Hermes Honda Hyundai IBM Ikea Instagram Intel Java JavaScript Jenkins Jira Julia Kafka Keras Kia Kotlin Kubernetes Laravel Lego LinkedIn Linux Llama
  Lotus Lyft Maven Mazda Mercedes Meta Microsoft Mistral MongoDB MySQL Nike Nikon Nginx Nokia Node Notion Numpy Nvidia OpenAI Oracle Outlook Pandas PayPal Pepsi Perl PostgreSQL Porsche PowerPoint Prada Prometheus Puma Puppet
  Python PyTorch React Redis Reddit Rolex Rust Salesforce Samsung Sentry Shell Siemens Slack Snowflake Spark Splunk Spotify Spring Starbucks Stripe Subaru Suzuki Swift Teams TensorFlow Terraform Toyota Trello Twitter Uber
  Ubuntu Unity Vagrant Vault Vercel Visa Volvo Vue WhatsApp Windows WordPress Xerox Yahoo Yamaha YouTube Zara Zendesk Zoom Angular Svelte Express Fastify Hibernate Spotless Cargo Bazel Airflow Dagster Tableau Looker Amplitude
  Mixpanel Segment Braze Twilio Plaid Revolut Klarna Monzo Nestle Danone Unilever Pfizer Moderna Bayer Roche Novartis Merck Heinz Kellogg Mars Hershey Cadbury Lindt Ferrero Barilla Ferrari Maserati Lamborghini Chrysler
  Cadillac Chevrolet Pontiac Lincoln Buick Dodge Jeep Tesla Hoover Dyson Whirlpool Bosch Stihl Husqvarna Deere Caterpillar Cummins Siri Alexa Cortana Watson Einstein Bard Copilot Lambda Ada Eliza Clippy Hilton Marriott
  Hyatt Sheraton Wendy's Denny's Arby's Macy's Kohl's Lowe's Levi's Sainsbury's Morrisons Boots Tesco Waitrose Next Zalando Otto Douglas Rossmann Carrefour Auchan Leclerc Carlsberg Guinness Heineken Budweiser Corona Absolut Smirnoff Bacardi Nescafé Nespresso Lipton Twinings Colgate Gucci Pampers Huggies Purina Whiskas Pedigree Iams Kleenex Duracell Energizer Philips Panasonic Sony Toshiba
  Hitachi Sanyo Casio Fujitsu Logitech Lenovo Dell Asus Acer Garmin Fitbit GoPro Sennheiser Yamaha Fender Gibson Steinway Casio Barclays Santander HSBC Citigroup Citibank JPMorgan Wachovia Deloitte Accenture KPMG McKinsey Bain Capgemini
  Infosys Wipro Allianz Axa Aviva Prudential Geico Aetna Cigna Humana Walgreens Walmart Target Aldi Lidl Kroger Safeway Albertsons Publix Wegmans Nordstrom Bloomingdale's Sephora Ulta Nivea Dove Loreal Maybelline Revlon Clinique
  Shopify Magento Drupal Joomla Squarespace Wix Django Flask Rails Symfony Ember Backbone Backstage Next.js Nuxt Remix Astro Vite Webpack Rollup Babel Jest Mocha Cypress Selenium Playwright Puppeteer Appium Postman Swagger Helm
  Docker Podman Istio Envoy Consul Nomad Packer Chef Saltstack Ansible Pulumi Serverless Heroku Netlify Cloudflare Akamai Fastly DigitalOcean Linode Vultr Hetzner Postgres Postgres MariaDB SQLite Cassandra ScyllaDB Couchbase
  CockroachDB Neo4j InfluxDB ClickHouse Druid Presto Trino Hive Impala Flink Storm Beam Samza Pulsar RabbitMQ Celery Memcached Hazelcast Solr Lucene Kibana Logstash Fluentd Jaeger Zipkin OpenTelemetry Nagios Zabbix Graylog Loki
  Scala Haskell Erlang Elixir Clojure Fortran Pascal Cobol Lisp Prolog Julia Ruby Perl Delphi Dart Flutter Xamarin Ionic Cordova Electron Qt Gnome Debian Ubuntu CentOS Gentoo Mint Manjaro Alpine Selenium Matplotlib Seaborn Plotly
  Polars Dask Scikit-learn SciPy Jupyter Colab Kaggle Anthropic Cohere Perplexity ChatGPT Midjourney Whisper Mixtral Qwen Falcon Phi Grok DeepSeek Ollama LangChain Pinecone Weaviate Milvus Chroma Qdrant Netflix Hulu Disney Pixar
  Marvel Nintendo Sega Atari PlayStation Xbox Minecraft Fortnite Tetris Roblox Steam Twitch Discord Telegram Signal Snapchat TikTok Pinterest Tumblr Medium Substack Quora Wikipedia Coursera Udemy Duolingo Lufthansa Ryanair Qantas
  Emirates Iberia Alitalia Finnair Vueling Amtrak Eurostar Hertz Avis Sixt Europcar Expedia Booking Tripadvisor Vodafone Verizon Orange Telefónica Movistar Telekom Comcast Sprint DHL FedEx UPS Hermes Maersk Halliburton Schlumberger
  Chevron Exxon Texaco Repsol Equinor Gazprom Rosneft Aramco Glencore Vale Rio Alcoa Monsanto Cargill Arsenal Chelsea Liverpool Everton Tottenham Juventus Barcelona Madrid Bayern Dortmund Ajax Benfica Celtic Rangers Lakers Celtics
  Yankees Dodgers Cowboys Packers Wilson Spalding Mizuno Slazenger Reebok Asics Fila Umbro Kappa Lacoste Speedo Rossignol Salomon Burton Patagonia Columbia Timberland Birkenstock Crocs Vauxhall Opel Renault Peugeot Citroën Skoda Seat
  Dacia Lexus Acura Infiniti Bentley Jaguar Bugatti Lotus Scania Iveco Fnac Mercadona Zara Mango Benetton Armani Versace`);

/** Brands and products whose full name looks like a person's. */
export const NAMESAKES =
  `Calvin Klein|Hugo Boss|Louis Vuitton|Ralph Lauren|Tommy Hilfiger|Tommy Bahama|Michael Kors|Kate Spade|Marc Jacobs|Vera Wang|Yves Saint Laurent|Christian Dior|Giorgio Armani|Paul Smith Ltd|Jimmy Choo|Tory Burch|
  Donna Karan|Stella McCartney Ltd|Elizabeth Arden|Estée Lauder|Helena Rubinstein|Max Factor|Bobbi Brown|Laura Mercier|Mary Kay|Paul Mitchell|Vidal Sassoon|Jo Malone|Laura Ashley|Eddie Bauer|Perry Ellis|Brooks Brothers|
  Ann Taylor|Lane Bryant|Jack Wills|Ted Baker|Fred Perry|Ben Sherman|Doc Martens|Dr Martens|Sam Edelman|Steve Madden|Cole Haan|John Deere|Massey Ferguson|Harley Davidson|Rolls Royce|Aston Martin|Alfa Romeo|Land Rover|
  Jim Beam|Jack Daniels|Johnnie Walker|Captain Morgan|Jose Cuervo|Don Julio|Evan Williams|Samuel Adams|Tom Collins|Bloody Mary|Shirley Temple|Arnold Palmer|Harvey Wallbanger|Irish Coffee|Earl Grey|Granny Smith|Dr Pepper|
  Ben & Jerry|Sara Lee|Betty Crocker|Aunt Jemima|Uncle Ben|Duncan Hines|Oscar Mayer|Jimmy Dean|Orville Redenbacher|Chef Boyardee|Famous Amos|Tim Hortons|Carl's Jr|Jack in the Box|Papa John|Papa Murphy|Trader Joe|
  Charles Schwab|Edward Jones|Raymond James|Franklin Templeton|Morgan Stanley|Goldman Sachs|Lehman Brothers|Bear Stearns|Merrill Lynch|Wells Fargo|Jones Lang LaSalle|Marsh McLennan|Arthur Andersen|Booz Allen Hamilton|
  Baker McKenzie|Kirkland Ellis|Lockheed Martin|Northrop Grumman|General Dynamics|Rand McNally|Steven Madden|William Hill|Thomas Cook|John Lewis|Marks Spencer|Robert Half|Kelly Services|Mary Celeste|Ada Lovelace Institute|
  Jack Russell|Saint Bernard|Grace Hopper|James Webb|Ask Jeeves|Mount Everest|Sherlock Holmes|Harry Potter|Santa Claus|Peter Pan|Romeo and Juliet|Jane Doe|John Doe|Joe Bloggs|Max Mustermann|Erika Mustermann|Ford Fiesta|
  Ford Escort|Honda Jazz|Vauxhall Astra|Renault Clio|Renault Megane|Seat Leon|Seat Ibiza|Nissan Micra|Toyota Camry|Toyota Yaris|Skoda Octavia|Chevrolet Malibu|Dodge Charger|Jeep Cherokee|Opel Corsa|Audi Quattro`.split(
    /\|\s*/,
  );

/** Things named after people. */
export const EPONYMS = [
  "Murphy's law",
  "Moore's law",
  "Occam's razor",
  "Hodgkin's lymphoma",
  "Down syndrome",
  "Crohn's disease",
  "Pareto principle",
  "Dijkstra's algorithm",
  "Fermat's last theorem",
  "Nash equilibrium",
  "Richter scale",
  "Celsius",
  "Kelvin",
  "Ohm's law",
  "Hooke's law",
  "Pythagorean theorem",
  "Fibonacci numbers",
  "Poisson distribution",
  "Laplace transform",
  "Fourier series",
  "Markov chain",
  "Bernoulli trial",
  "Euler's number",
  "Cartesian product",
  "Boolean logic",
  "Machiavellian plot",
  "Freudian slip",
  "Victorian era",
  "Marxist theory",
  "Keynesian economics",
  "Ferris wheel",
  "Diesel engine",
  "Geiger counter",
  "Petri dish",
  "Bunsen burner",
  "Achilles heel",
  "Tourette syndrome",
  "Asperger syndrome",
  "Stockholm syndrome",
  "Caesarean section",
  "Pilates class",
  "Jacuzzi",
  "Zeppelin",
  "Rubik's cube",
  "Morse code",
  "Braille",
  "Stanley knife",
  "Phillips head",
  "Allen wrench",
  "Granny Smith apples",
  "Earl Grey tea",
  "Eggs Benedict",
  "Beef Wellington",
  "Caesar dressing",
  "Victoria sponge",
  "Martini",
  "Margarita",
  "Peach Melba",
  "Pavlova",
  "Miranda rights",
  "Megan's Law",
  "Clayton Act",
  "Sherman Act",
  "Hatch Act",
  "Pulitzer Prize",
  "Fulbright scholarship",
  "Rhodes scholar",
  "Myers-Briggs test",
  "Rorschach test",
  "Gregorian calendar",
  "Julian date",
  "Franklin Templeton",
  "Charles Schwab",
  "Ernst & Young",
  "Merrill Lynch",
  "Procter & Gamble",
  "Marks & Spencer",
  "Dolce & Gabbana",
  "Abercrombie & Fitch",
  "Harley-Davidson",
  "Mercedes-Benz",
  "Estée Lauder",
  "Ralph Lauren",
  "Tommy Hilfiger",
  "Jack Daniel's",
  "Johnnie Walker",
  "Jim Beam",
  "Captain Morgan",
  "Dr Pepper",
  "Mr Clean",
  "Mrs Doubtfire",
  "Uncle Ben's rice",
  "Aunt Jemima syrup",
  "Betty Crocker",
  "Sara Lee",
  "Papa John's",
  "Trader Joe's",
  "Victoria's Secret",
  "Elizabeth Arden",
  "Mary Kay",
  "Saint Bernard",
  "Jack Russell terrier",
  "Romeo and Juliet",
  "Thomas the Tank Engine",
  "Jurassic Park",
  "Charlie's Angels",
];

/** Institutions and places whose names could be those of people, alone or with a town. */
export const INSTITUTIONS =
  words(`Harvard Yale Princeton Stanford Oxford Cambridge Cornell Brown Duke Emory Tufts Rice Vanderbilt Purdue Drexel Berkeley Baylor Clemson Dartmouth Wharton Juilliard Georgetown Howard Columbia Villanova Fordham
  Loyola Gonzaga Marquette Lehigh Bucknell Colgate Hofstra Stetson Rutgers Temple Brandeis Vassar Amherst Bowdoin Barnard Radcliffe Wellesley Carleton Oberlin Pomona Caltech Sorbonne Eton Harrow Rugby Westminster Winchester
  Imperial Durham Lancaster Leicester Lloyd's Sotheby's Christie's Ladbrokes Sandhurst Leiden Bocconi Heidelberg Humboldt Goethe Bauhaus Mayo Cleveland Sinai Langley Quantico Brookings Rand Carnegie Guggenheim Smithsonian
  Tate Prado Louvre Hermitage Broadway Wembley Anfield Wimbledon Ascot Brent Sterling Sydney Melbourne Perth Adelaide Darwin Alice Victoria Virginia Carolina Dakota Georgia Montana Nevada Florida Maryland Pennsylvania Louisiana
  Delaware Washington Lincoln Madison Jackson Jefferson Houston Austin Dallas Denver Raleigh Charleston Charlotte Augusta Helena Laramie Cheyenne Pierre Bismarck Boise Olympia Juneau Montgomery Tyler Abilene Arlington
  Alexandria Fayetteville Jacksonville Nashville Evansville Louisville Lexington Anderson Bradford Bolton Preston Burnley Chester Stafford Stanley Warwick Kendal Kent Clare Kerry Tyrone Lorraine Valencia Florence Siena Milan
  Lourdes Nancy Sofia Santiago Salvador Cordoba Leon Jordan Chad Israel Kenya India China Asia`);

/** States and countries that follow a town's name. */
export const STATES =
  `Alabama Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Georgia Hawaii Idaho Illinois Indiana Iowa Kansas Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi
  Missouri Montana Nebraska Nevada New_Hampshire New_Jersey New_Mexico New_York North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia
  Washington West_Virginia Wisconsin Wyoming Ontario Quebec Alberta Manitoba Queensland Victoria Tasmania England Scotland Wales Ireland Bavaria Provence Brittany Tuscany Sicily Catalonia Andalusia NY CA TX FL IL PA OH
  GA NC MI NJ VA WA AZ MA TN IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI ME MT RI DE SD ND AK VT WY DC`
    .split(/\s+/)
    .map((name) => name.replaceAll("_", " "));

/** Labels before a colon, a bar or a line end that aren't names of people. */
export const LABELS =
  words(`Attendees Participants Invitees Members Guests Panelists Speakers Contributors Reviewers Approvers Signatories Owners Tenants Applicants Candidates Witnesses Parties Recipients Authors Editors Teams Absent Present
  Excused Apologies Regrets Complainant Respondent Claimant Defendant Plaintiff Appellant Petitioner Debtor Creditor Payee Payer Insured Beneficiary Grantor Grantee Lessor Lessee Licensor Licensee Subscriber Username Nickname
  Alias Team Crew Cast Staff Group Squad Committee Board Panel Jury Chair Minutes Agenda Scribe Facilitator Moderator Host Interviewer Interviewee Transcript Narrator Operator Bot Agent Caller Answer Question Note Notes Memo Re
  Summary Overview Background Abstract Keywords Appendix Figure Table Source Sources Reference References Contents Chapter Section Exhibit Attachment Enclosure Encl Status Priority Severity Component Milestone Sprint Epic
  Assignee Reporter Reviewer Committer Maintainer Approver Stakeholder Deliverables Outcome Action Actions Decision Decisions Risks Blockers Next Todo Deadline Duration Location Venue Departure Arrival Gate Seat Terminal
  Diagnosis Allergies Medication Dosage Symptoms History Prognosis Referral Ward Procedure Vitals Subtotal Discount Shipping Quantity Description Warranty Balance Remittance Ingredients Serves Preparation Yield Tip Warning
  Hinweis Betreff Anlage Teilnehmer Datum Ort Befund Vorname Nachname Kunde Asunto Nombre Apellido Fecha Objet Nom Prénom Oggetto Nome Cognome Onderwerp Naam Assunto Data`);

/**
 * Other proper nouns that aren't people: medicines, games, gods, stars, typefaces, wines, cheeses, breeds, festivals,
 * units, films, services.
 */
export const PROPER =
  words(`Lipitor Humira Prozac Zoloft Xanax Valium Viagra Tylenol Advil Aspirin Ibuprofen Paracetamol Metformin Lisinopril Amoxicillin Ozempic Wegovy Botox Benadryl Nurofen Ventolin Ritalin Adderall Insulin Keytruda Zelda Mario Sonic
  Pokémon Skyrim Halo Portal Civilization Catan Monopoly Scrabble Cluedo Jenga Risk Zeus Apollo Athena Ares Hera Hades Thor Odin Freya Loki Ra Isis Osiris Anubis Venus Jupiter Saturn Neptune Pluto Mercury Titan Europa Ganymede
  Callisto Io Andromeda Orion Vega Sirius Polaris Betelgeuse Cassiopeia Artemis Voyager Cassini Kepler Galileo Hubble Rosetta Soyuz Juno Helvetica Garamond Arial Verdana Georgia Calibri Cambria Futura Baskerville Bodoni Roboto Lato
  Merlot Shiraz Malbec Riesling Chardonnay Pinot Rioja Chianti Bordeaux Burgundy Champagne Prosecco Cognac Bourbon Gouda Edam Brie Camembert Cheddar Stilton Gruyère Parmesan Roquefort Gorgonzola Labrador Beagle Dalmatian Rottweiler
  Doberman Chihuahua Collie Siamese Persian Burmese Diwali Ramadan Eid Hanukkah Passover Easter Christmas Halloween Thanksgiving Lent Advent Pentecost Holi Nowruz Songkran Oktoberfest Newton Pascal Joule Watt Volt Ampere Hertz Tesla
  Kelvin Celsius Fahrenheit Curie Becquerel Faraday Gauss Weber Henry Farad Siemens Ohm Beaufort Mohs Titanic Avatar Inception Casablanca Psycho Jaws Rocky Rambo Amadeus Gladiator Matrix Hamlet Macbeth Othello Emma Ulysses Dracula
  Frankenstein Carmen Tosca Aida Figaro Turandot Nabucco Messiah Thriller Katrina Sandy Irma Harvey Andrew Mitch Ivan Wilma Ida Dorian Bible Quran Torah Talmud Veda Genesis Exodus Leviticus Psalms Romans Corinthians Ephesians Buddhism
  Islam Hinduism Judaism Taoism Baroque Renaissance Gothic Rococo Cubism Dada Keynes Marx Darwinism Freud Jung Pilates Zumba Yoga Karate Judo Bundestag Bundesbank Knesset Kremlin Pentagon Parliament Congress Senate Duma Interpol
  Europol Nato Unesco Unicef Greenpeace Amnesty Oxfam Rotary Mensa Mossad Stasi Brexit Euribor Libor Nasdaq Nikkei Dax Hang Seng Bovespa Sensex Magna Carta Habeas Corpus Antarctica Sahara Gobi Kalahari Amazon Nile Danube Rhine Seine
  Thames Volga Ganges Yangtze Mekong Zambezi Orinoco Everest Denali Elbrus Etna Vesuvius Kilimanjaro Fuji Matterhorn Ararat Caribbean Baltic Adriatic Aegean Balkan Caucasus Pyrenees Andes Alps Himalaya`);

/** Suffixes of invented brands, medicines and products. */
export const BRAND_ENDINGS =
  words(`ica ify ly io ium tech soft ware ex ix os us on ol il ine ate ide ane max flow hub base cloud point line net sys dyne tron gen zyme cor via rex pro care med bank pay shop mart works forge stack byte scope desk
  box kit star ster wave mind sight path pulse`);
