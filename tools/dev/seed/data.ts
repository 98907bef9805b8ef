/** Raw material for generated people. The first of each list is the most frequent. */

/** First and last names, a line per language. */
export const NAMES = `
Emily,James,Olivia,Michael,Hannah,Daniel,Grace,Christopher,Megan,Andrew,Lauren,Tyler / Carter,Reed,Hughes,Bennett,Coleman,O'Connor,Washington,McAllister,Ashworth-Lane
Anna,Lukas,Lena,Jürgen,Sabine,Björn,Franziska,Matthias / Schneider,Krämer,Weiß,Böhm,Schäfer,von Hagen,Möller
Priya,Arjun,Ananya,Rohan,Kavya,Vikram,Meera,Sanjay / Banerjee,Iyer,Patel,Nair,Reddy,Gupta,Mukherjee
María José,Carlos,Lucía,Javier,Íñigo,Rocío / García Ruiz,Muñoz,Fernández,Ibáñez,de la Fuente
翔太,美咲,健一,陽子,大輔,さくら / 佐藤,鈴木,高橋,渡辺,小林
Олена,Андрій,Тарас,Ірина / Шевчук,Бондар,Мельник,Гончар
`
  .trim()
  .split("\n")
  .map((language) => language.split(" / ").map((names) => names.split(",")));

/** Combined into the names of a few large and many small companies. */
export const COMPANY_WORDS = [
  "Meridora,Halvorsen,Brightwater,Kestrelmoor,Löwenhof,Orchard & Vine,Tamarind,Valdemora,Polaris,Rotdorn,Saltmarsh,Ostermark",
  "Freight,Bank,Health,Energy,Retail,Software,Foods,Robotics,Logistics,Consulting,Studios,Systems",
].map((words) => words.split(","));

/** The same company, spelled as different people do. */
export const SPELLINGS: ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}, Inc.`,
  (name) => name.toLowerCase(),
];

/** Reserved (RFC 2606), so nobody can own them. */
export const MAIL_DOMAINS = ["mail.example", "inbox.example", "freemail.test", "home.example.com"];

export const CAMPAIGNS = [
  null,
  { source: "hackernews", medium: "social", campaign: "launch" },
  { source: "linkedin", medium: "social", campaign: "launch" },
  { source: "google", medium: "cpc", campaign: "soc-automation", term: "ai security" },
  { source: "newsletter", medium: "email", campaign: "monthly-digest", content: "footer" },
  { source: "qr", medium: "print" },
];

/** Sign-ups that filled the honeypot: bots, and a person whose browser filled every field. */
export const QUARANTINED = [
  { first_name: "Cheap", last_name: "Backlinks", website: "https://rank-first.example/offer" },
  { first_name: "test", last_name: "test", website: "http://test.test" },
  { first_name: "Grace", last_name: "Foster", website: "https://granitebridge.example" },
];
