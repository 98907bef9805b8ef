/** Raw material for generated people. Common names, combined at random; "翔太=Shota" is Shota in addresses. */

/** Names by country; `weight` is its relative frequency. */
export const NAMES = [
  {
    weight: 30,
    first:
      "Emily,James,Olivia,Michael,Hannah,Daniel,Grace,Christopher,Megan,Andrew,Lauren,Tyler,Jasmine,Marcus,Rachel,Kevin,Alicia,Brandon,Natalie,Derek",
    last: "Carter,Reed,Hughes,Bennett,Coleman,Foster,Jenkins,Perry,Simmons,Hayes,Russell,Griffin,Wexler,Brooks,Sullivan,O'Connor,Washington,McAllister,Whitfield,Ashworth-Lane",
  },
  {
    weight: 12,
    first:
      "Anna,Lukas,Lena,Jonas,Katharina,Felix,Jürgen,Sabine,Tobias,Miriam,Björn,Franziska,Matthias,Heike,Niklas,Ulrike",
    last: "Schneider,Vogel,Krämer,Weiß,Hoffmann,Lindner,Böhm,Schäfer,von Hagen,Brandt,Möller,Kaiser,Seidel,Albrecht,Pfeiffer",
  },
  {
    weight: 10,
    first: "Priya,Arjun,Ananya,Rohan,Kavya,Vikram,Meera,Sanjay,Divya,Karthik,Neha,Aditya,Lakshmi,Imran,Pooja",
    last: "Banerjee,Iyer,Patel,Nair,Reddy,Gupta,Mukherjee,Desai,Krishnan,Pillai,Rao,Kulkarni,Joshi,Shaikh,Bose",
  },
  {
    weight: 8,
    first: "María José,Carlos,Lucía,Javier,Sofía,Alejandro,Carmen,Diego,Valentina,Andrés,Ximena,Íñigo,Rocío,Joaquín",
    last: "García Ruiz,Muñoz,Fernández,Ibáñez,Castillo,Peña,Domínguez,Ortega,Vázquez,Herrera,de la Fuente,Núñez,Salazar",
  },
  {
    weight: 7,
    first: "Camille,Théo,Léa,Antoine,Chloé,Jean-Baptiste,Zoé,Benoît,Inès,Mathieu,Amélie,Hugo,Noémie,Gaël",
    last: "Lefèvre,Moreau,Girard,Dubois,Rousseau,Chevalier,Garnier,d'Aubigny,Marchand,Renaud,Perrin,Barbier",
  },
  {
    weight: 6,
    first: "Ana Beatriz,João,Mariana,Thiago,Letícia,Rafael,Fernanda,Gustavo,Inês,Caio,Júlia,Vinícius",
    last: "Oliveira,Cardoso,Araújo,Gonçalves,Ribeiro,Teixeira,Magalhães,dos Santos,Moreira,Azevedo,Brandão",
  },
  {
    weight: 5,
    first: "Sanne,Daan,Femke,Bram,Lotte,Jeroen,Marieke,Thijs,Anouk,Ruben",
    last: "de Vries,Bakker,van den Berg,Visser,Mulder,van Dijk,Hendriks,Kuipers,Jansen,ter Horst",
  },
  {
    weight: 5,
    first: "Astrid,Søren,Ingrid,Øystein,Linnéa,Mikkel,Åsa,Jens,Freja,Anders,Ragnhild,Elin",
    last: "Lindqvist,Nørgaard,Hansen,Bergström,Dahl,Kjær,Ødegård,Hågensen,Sandberg,Holm,Åkesson",
  },
  {
    weight: 5,
    first: "Agnieszka,Łukasz,Zofia,Paweł,Katarzyna,Michał,Grzegorz,Jadwiga,Małgorzata,Błażej",
    last: "Nowak,Wójcik,Mazur,Król,Zając,Sikora,Dudek,Kaźmierczak,Bąk,Gołąb",
  },
  {
    weight: 5,
    first: "翔太=Shota,美咲=Misaki,健一=Kenichi,陽子=Yoko,大輔=Daisuke,さくら=Sakura,Haruka,Takumi,直樹=Naoki,Emi",
    last: "佐藤=Sato,鈴木=Suzuki,高橋=Takahashi,渡辺=Watanabe,Nakamura,小林=Kobayashi,Yoshida,山口=Yamaguchi",
  },
  {
    weight: 4,
    first: "Oluwaseun,Chiamaka,Kwame,Amina,Tendai,Zanele,Ifeoma,Kofi,Wanjiru,Thabo",
    last: "Adeyemi,Okonkwo,Mensah,Bello,Moyo,Dlamini,Nwosu,Boateng,Kamau,Mokoena",
  },
  {
    weight: 3,
    first: "Олена=Olena,Андрій=Andrii,Maryna,Тарас=Taras,Ірина=Iryna,Bohdan",
    last: "Шевчук=Shevchuk,Бондар=Bondar,Kravets,Мельник=Melnyk,Гончар=Honchar",
  },
  {
    weight: 2,
    first: "Γιώργος=Giorgos,Ελένη=Eleni,Katerina,Νίκος=Nikos,Δέσποινα=Despina",
    last: "Αντωνίου=Antoniou,Οικονόμου=Oikonomou,Georgiou,Βασιλείου=Vasileiou",
  },
].map(({ weight, first, last }) => ({ weight, first: first.split(","), last: last.split(",") }));

/** In descending order of size. Legal form and capitalization vary by person, but the company key is the same. */
export const LARGE_COMPANIES = [
  ["Meridora Freight", "Inc."],
  ["Halvorsen Bank", "ASA"],
  ["Brightwater Health", "LLC"],
  ["Kestrelmoor Energy", "Ltd"],
  ["Löwenhof Versicherung", "AG"],
  ["Orchard & Vine Retail", "Corp"],
  ["Tamarind Software", "Pty Ltd"],
  ["Valdemora Foods", "SA"],
  ["Polaris Machine Works", "Co."],
  ["Rotdorn Analytics", "GmbH"],
  ["Saltmarsh Robotics", "Limited"],
  ["University of Ostermark", ""],
] as const;

/** Combined into the names of many small companies. */
export const COMPANY_WORDS = {
  first:
    "Amber,Birch,Cedar,Copper,Delta,Ember,Fjord,Granite,Harbor,Indigo,Juniper,Koru,Lantern,Maple,Nimbus,Ochre,Pebble,Quarry,River,Summit,Tidal,Umbra,Velvet,Willow".split(
      ",",
    ),
  second: "Bridge,Gate,Field,Point,Stone,Works,Path,House,Lane,Forge,Ridge,Mill".split(","),
  third:
    "Labs,Logistics,Dental,Consulting,Studios,Systems,Legal,Security,Capital,Clinic,Media,Engineering,Travel".split(
      ",",
    ),
};

/** What people without a company enter when they think they have to. */
export const NO_COMPANY = ["n/a", "None", "-", "self", "private"];

/** Mail domains of people without a company. All are reserved (RFC 2606), so nobody can own them. */
export const MAIL_PROVIDERS = [
  { weight: 40, domain: "mail.example" },
  { weight: 20, domain: "post.example.com" },
  { weight: 15, domain: "inbox.example" },
  { weight: 12, domain: "freemail.test" },
  { weight: 8, domain: "home.example.com" },
  { weight: 5, domain: "briefkasten.example" },
];

/** `launch` is the weight during the first days after the launch, `usual` at all other times. */
export const CAMPAIGNS = [
  { launch: 25, usual: 55, utm: null },
  { launch: 30, usual: 2, utm: { source: "hackernews", medium: "social", campaign: "launch" } },
  { launch: 18, usual: 3, utm: { source: "producthunt", medium: "referral", campaign: "launch" } },
  { launch: 12, usual: 10, utm: { source: "linkedin", medium: "social", campaign: "launch" } },
  { launch: 4, usual: 12, utm: { source: "google", medium: "cpc", campaign: "soc-automation", term: "ai security" } },
  {
    launch: 3,
    usual: 8,
    utm: { source: "newsletter", medium: "email", campaign: "monthly-digest", content: "footer" },
  },
  { launch: 5, usual: 5, utm: { source: "partner", medium: "referral", campaign: "brightwater-webinar" } },
  { launch: 2, usual: 4, utm: { source: "podcast", medium: "audio", campaign: "breach-hour" } },
  { launch: 1, usual: 1, utm: { source: "qr", medium: "print" } },
];

/** Sign-ups that filled the honeypot: bots, and people whose browser filled every field. */
export const QUARANTINED = [
  { first_name: "Cheap", last_name: "Backlinks", website: "https://rank-first.example/offer" },
  { first_name: "CryptoBonus", last_name: "x2", website: "https://double-coins.test/?ref=waitlist" },
  { first_name: "test", last_name: "test", website: "http://test.test" },
  { first_name: "Grace", last_name: "Foster", website: "https://granitebridge.example" },
  { first_name: "SEO", last_name: "Expert", website: "https://top-seo.example" },
  { first_name: "Jonas", last_name: "Vogel", website: "https://jonas-vogel.example" },
  { first_name: "asdf", last_name: "qwer", website: "asdf" },
];
