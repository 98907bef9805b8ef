/** The browser actions that the sign-up test needs, whatever the driver. */
export interface Engine {
  open(url: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** Evaluates a JavaScript expression in the page and returns it as text. */
  evaluate(expression: string): Promise<string>;
  close(): Promise<void>;
}
