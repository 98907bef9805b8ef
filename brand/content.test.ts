import { expect, test } from "vitest";
import * as content from "./content.ts";

// Quoted, because the other tests compare the page with content.ts.
test("the content has the specification's words", () => {
  expect(content).toMatchObject({
    navLinks: { Features: "#features", About: "#about", Contact: "#waitlist" },
    navButton: "Join Waitlist",
    badge: "Advanced Cybersecurity Solutions",
    headline: ["Secure Your", "Digital Future"],
    tagline:
      "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.",
    join: "Join the Waitlist",
    learnMore: "Learn More",
    daysToLaunch: "Days to Launch",
    DAYS_TO_LAUNCH: 45,
    tooSoon: "Please take a moment to review your information before submitting.",
    joining: "Joining...",
    errorTitle: "Error",
    joinedToast: "Successfully joined the waitlist!",
    joinedToastText: "We'll be in touch soon with exclusive updates.",
    joinedTitle: "Successfully Joined!",
    joinedText:
      "Thank you for joining our waitlist. We'll be in touch soon with exclusive updates and early access information.",
    COPYRIGHT_YEAR: 2024,
    notFoundTitle: "404 Page Not Found",
    notFoundText: "Did you forget to add the page to the router?",
  });
  expect(content.dashboardValues.map(({ name, value }) => `${name}: ${value}`).join(", ")).toBe(
    "Threat level: LOW, Monitors: 24/7, Blocked attacks: 1,247, System health: OPTIMAL",
  );
  expect(Object.keys(content.features).join(", ")).toBe(
    "AI-Powered Threat Detection, Real-Time Monitoring, Zero-Trust Architecture, Advanced Analytics, Cloud Security, Expert Support",
  );
  expect(Object.keys(content.aboutPoints).join(", ")).toBe(
    "Predictive Threat Intelligence, Enterprise-Grade Security, Compliance Ready",
  );
  expect(content.aboutPoints["Compliance Ready"]).toContain("GDPR, SOC 2 and HIPAA");
  expect(
    Object.values(content.footerColumns)
      .flatMap((links) => Object.values(links))
      .join(" "),
  ).toBe("#pricing #security #integrations #careers #blog #contact #help #docs #status #community");
  expect(Object.keys(content.footerColumns)).toEqual(["Product", "Company", "Support"]);
});
