/** Raw material for generated people. Common names, combined at random; addresses spell "翔太=Shota" as Shota. */

/** A line of first and last names per country; countries with the most people come first. */
export const NAMES = `
Emily,James,Olivia,Michael,Hannah,Daniel,Grace,Christopher,Megan,Andrew,Lauren,Tyler,Jasmine,Marcus,Rachel,Kevin,Alicia,Brandon,Natalie,Derek / Carter,Reed,Hughes,Bennett,Coleman,Foster,Jenkins,Perry,Simmons,Hayes,Russell,Griffin,Wexler,Brooks,Sullivan,O'Connor,Washington,McAllister,Whitfield,Ashworth-Lane
Anna,Lukas,Lena,Jonas,Katharina,Felix,Jürgen,Sabine,Tobias,Miriam,Björn,Franziska,Matthias,Heike,Niklas,Ulrike / Schneider,Vogel,Krämer,Weiß,Hoffmann,Lindner,Böhm,Schäfer,von Hagen,Brandt,Möller,Kaiser,Seidel,Albrecht,Pfeiffer
Priya,Arjun,Ananya,Rohan,Kavya,Vikram,Meera,Sanjay,Divya,Karthik,Neha,Aditya,Lakshmi,Imran,Pooja / Banerjee,Iyer,Patel,Nair,Reddy,Gupta,Mukherjee,Desai,Krishnan,Pillai,Rao,Kulkarni,Joshi,Shaikh,Bose
María José,Carlos,Lucía,Javier,Sofía,Alejandro,Carmen,Diego,Valentina,Andrés,Ximena,Íñigo,Rocío,Joaquín / García Ruiz,Muñoz,Fernández,Ibáñez,Castillo,Peña,Domínguez,Ortega,Vázquez,Herrera,de la Fuente,Núñez,Salazar
Camille,Théo,Léa,Antoine,Chloé,Jean-Baptiste,Zoé,Benoît,Inès,Mathieu,Amélie,Hugo,Noémie,Gaël / Lefèvre,Moreau,Girard,Dubois,Rousseau,Chevalier,Garnier,d'Aubigny,Marchand,Renaud,Perrin,Barbier
Ana Beatriz,João,Mariana,Thiago,Letícia,Rafael,Fernanda,Gustavo,Inês,Caio,Júlia,Vinícius / Oliveira,Cardoso,Araújo,Gonçalves,Ribeiro,Teixeira,Magalhães,dos Santos,Moreira,Azevedo,Brandão
Sanne,Daan,Femke,Bram,Lotte,Jeroen,Marieke,Thijs,Anouk,Ruben / de Vries,Bakker,van den Berg,Visser,Mulder,van Dijk,Hendriks,Kuipers,Jansen,ter Horst
Astrid,Søren,Ingrid,Øystein,Linnéa,Mikkel,Åsa,Jens,Freja,Anders,Ragnhild,Elin / Lindqvist,Nørgaard,Hansen,Bergström,Dahl,Kjær,Ødegård,Hågensen,Sandberg,Holm,Åkesson
Agnieszka,Łukasz,Zofia,Paweł,Katarzyna,Michał,Grzegorz,Jadwiga,Małgorzata,Błażej / Nowak,Wójcik,Mazur,Król,Zając,Sikora,Dudek,Kaźmierczak,Bąk,Gołąb
翔太=Shota,美咲=Misaki,健一=Kenichi,陽子=Yoko,大輔=Daisuke,さくら=Sakura,Haruka,Takumi,直樹=Naoki,Emi / 佐藤=Sato,鈴木=Suzuki,高橋=Takahashi,渡辺=Watanabe,Nakamura,小林=Kobayashi,Yoshida,山口=Yamaguchi
Oluwaseun,Chiamaka,Kwame,Amina,Tendai,Zanele,Ifeoma,Kofi,Wanjiru,Thabo / Adeyemi,Okonkwo,Mensah,Bello,Moyo,Dlamini,Nwosu,Boateng,Kamau,Mokoena
Олена=Olena,Андрій=Andrii,Maryna,Тарас=Taras,Ірина=Iryna,Bohdan / Шевчук=Shevchuk,Бондар=Bondar,Kravets,Мельник=Melnyk,Гончар=Honchar
Γιώργος=Giorgos,Ελένη=Eleni,Katerina,Νίκος=Nikos,Δέσποινα=Despina / Αντωνίου=Antoniou,Οικονόμου=Oikonomou,Georgiou,Βασιλείου=Vasileiou
`
  .trim()
  .split("\n")
  .map((country) => country.split(" / ").map((names) => names.split(",")));

/** Companies, largest first, with legal forms. Different spellings of a name get the same company key. */
export const LARGE_COMPANIES = `
Meridora Freight, Inc.
Halvorsen Bank, ASA
Brightwater Health, LLC
Kestrelmoor Energy, Ltd
Löwenhof Versicherung, AG
Orchard & Vine Retail, Corp
Tamarind Software, Pty Ltd
Valdemora Foods, SA
Polaris Machine Works, Co.
Rotdorn Analytics, GmbH
Saltmarsh Robotics, Limited
University of Ostermark`
  .trim()
  .split("\n");

/** Combined into the names of many small companies. */
export const COMPANY_WORDS = [
  "Amber,Birch,Cedar,Copper,Delta,Ember,Fjord,Granite,Harbor,Indigo,Juniper,Koru,Lantern,Maple,Nimbus,Ochre,Pebble,Quarry,River,Summit,Tidal,Umbra,Velvet,Willow",
  "Bridge,Gate,Field,Point,Stone,Works,Path,House,Lane,Forge,Ridge,Mill",
  "Labs,Logistics,Dental,Consulting,Studios,Systems,Legal,Security,Capital,Clinic,Media,Engineering,Travel",
].map((words) => words.split(","));

export const NO_COMPANY = ["n/a", "None", "-", "self", "private"];

/** Most frequent first. All domains are reserved (RFC 2606), so nobody can own them. */
export const MAIL_DOMAINS =
  "mail.example,post.example.com,inbox.example,freemail.test,home.example.com,briefkasten.example".split(",");

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
