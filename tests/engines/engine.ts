/** What a journey needs of a browser, whoever drives it. */
export interface Engine {
  open(url: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  /** The value of a JavaScript expression, as text. */
  evaluate(expression: string): Promise<string>;
  close(): Promise<void>;
}
