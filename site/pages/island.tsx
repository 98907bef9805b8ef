import { Component, type ComponentType, Suspense } from "react";
import { keepTyped } from "#site/waitlist/keep-typed.ts";
import { enableEnter } from "#site/waitlist/native-submit.ts";
import { isTooSoon } from "#site/waitlist/page-age.ts";

/**
 * A section that React hydrates in its own task. If React fails, the prerendered element that `of` selects comes back,
 * because its links and its form work without React.
 */
export class Island extends Component<{ of: string; section: ComponentType }> {
  override state: { shown: "section" | "prerendered" } = { shown: "section" };
  private prerendered = globalThis.document?.querySelector(this.props.of)?.cloneNode(true);

  static getDerivedStateFromError() {
    return { shown: "prerendered" };
  }

  override render() {
    const { section: Section } = this.props;
    if (this.state.shown === "section") {
      return (
        <Suspense>
          <Section />
        </Suspense>
      );
    }
    // Not dangerouslySetInnerHTML, because the CSP's trusted types block it.
    return <div className="contents" ref={(parent) => this.restore(parent)} />;
  }

  private restore(parent: HTMLElement | null): void {
    if (!parent || !this.prerendered) return;
    parent.append(this.prerendered);
    keepTyped();
    // Before, the timer that enables the first form's button does.
    if (!isTooSoon(performance.now())) enableEnter();
    // Navigates to the fragment again, because the restored card with a form's outcome isn't the :target yet.
    if (location.hash && !document.querySelector(":target")) location.replace(location.hash);
  }
}
