/**
 * The words of both pages, from top to bottom. The legal texts are in legal.ts; what the API says too is in contract/.
 * Mostly single strings, because bundlers inline those but not an object.
 */

/** In the title, after the brand's name. */
export const pitch = "AI-powered cybersecurity for business";

export const skipLink = "Skip to content";
export const navLinks = { Features: "#features", About: "#about", Contact: "#waitlist" };
export const navButton = "Join Waitlist";
export const openMenu = "Open menu";
export const closeMenu = "Close menu";

export const badge = "Advanced Cybersecurity Solutions";
export const headline = ["Secure Your", "Digital Future"] as const;
/** Also describes the page to search engines and link previews. */
export const tagline =
  "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.";
/** Also on the form's button. */
export const join = "Join the Waitlist";
export const learnMore = "Learn More";
export const scrollHint = "Scroll";

export const featuresTitle = "See it coming. Be ready.";
/** Contains {name}, the brand's name. */
export const featuresText =
  "Most breaches leave traces long before they do harm. {name} is built to notice them early and tell you plainly what to do.";
/** In the order of their drawings. */
export const features = {
  "AI-Powered Threat Detection":
    "Models learn what normal looks like on your network, so the one connection that doesn’t belong stands out.",
  "Real-Time Monitoring":
    "Sign-ins, processes and traffic, watched as they happen. You hear about the ones that matter.",
  "Zero-Trust Architecture": "Being inside earns no trust. Every request proves who it is, at every door, every time.",
  "Advanced Analytics":
    "See where an attack began, what it touched and where it was headed: one timeline instead of ten logs.",
  "Cloud Security": "One set of rules for every cloud you use, checked against what is actually running there.",
  "Expert Support": "When it matters, you talk to an analyst who already has your case open, not to a queue.",
};

export const aboutTitle = "On watch for businesses of any size";
export const aboutPoints = {
  "Predictive Threat Intelligence":
    "We track the tools and servers attackers set up, so you can close a path before anyone takes it.",
  "Enterprise-Grade Security":
    "Encryption in transit and at rest, least privilege and a full audit trail, for a team of five or five thousand.",
  "Compliance Ready":
    "Evidence for GDPR, SOC 2 and HIPAA is collected as you work. An audit becomes a report, not a project.",
};

export const dashboardTitle = "Security overview";
export const dashboardLabel = "Sample data";
export const dashboardValues = [
  { name: "Threat level", value: "LOW", isGood: true },
  { name: "Monitors", value: "24/7" },
  { name: "Blocked attacks", value: "1,247" },
  { name: "System health", value: "OPTIMAL", isGood: true },
];
export const dashboardEvents = [
  { time: "02:14", text: "Sign-in from a new country", outcome: "blocked" },
  { time: "09:41", text: "Unknown process on a file server", outcome: "stopped" },
  { time: "16:30", text: "Traffic to a domain one hour old", outcome: "blocked" },
];

export const waitlistTitle = "Get in before launch";
export const waitlistText = "Sign up for early access and beta features. It takes a minute, and it’s free.";
export const totalUsers = "Total users";
export const companiesInterested = "Companies interested";
export const daysToLaunch = "Days to Launch";
export const DAYS_TO_LAUNCH = 45;

export const firstName = "First name";
export const lastName = "Last name";
export const email = "Email";
export const company = "Company";
export const optional = "optional";
export const didYouMean = "Did you mean";
export const joining = "Joining...";
export const purpose = "We use your details to run this waitlist. Nothing else.";
export const privacyLink = "Privacy";
export const alreadyOnList = "Already on the list?";
export const memberLink = "Get your link";

export const tooSoon = "Please take a moment to review your information before submitting.";
export const errorTitle = "Error";
export const joinedToast = "Successfully joined the waitlist!";
export const joinedToastText = "We'll be in touch soon with exclusive updates.";
export const joinedTitle = "Successfully Joined!";
export const joinedText =
  "Thank you for joining our waitlist. We'll be in touch soon with exclusive updates and early access information.";

/** Below the joined card, with mail on. */
export const inboxTitle = "Check your inbox";
export const inboxText = "If this address is new here, its link is on the way.";
export const openInbox = "Open";
export const nothingArrived = "Nothing after five minutes?";
export const sendAgain = "Send it again";

/** Links of the footer, of which only Contact leads somewhere yet. */
export const footerColumns = {
  Product: { Pricing: "#pricing", Security: "#security", Integrations: "#integrations" },
  Company: { Careers: "#careers", Blog: "#blog", Contact: "#contact" },
  Support: { "Help Center": "#help", Documentation: "#docs", Status: "#status", Community: "#community" },
};
export const upcoming = "Coming at launch:";
export const upcomingIfJoined = "You're on the waitlist. We'll be in touch with early access information.";
export const upcomingOtherwise = "Join the waitlist for early access.";
export const emailMyLink = "Email me my link";
export const pauseMotion = "Pause motion";
export const resumeMotion = "Resume motion";
export const COPYRIGHT_YEAR = 2024;

export const notFoundTitle = "404 Page Not Found";
export const notFoundText = "Did you forget to add the page to the router?";
export const home = "Back to the start";
