import http, { type IncomingHttpHeaders } from "node:http";
import https, { type RequestOptions } from "node:https";

export interface Response {
  /** 0 if the connection broke. */
  status: number;
  text: string;
  headers: IncomingHttpHeaders;
}

/** The machines that drills boot have a self-signed certificate. */
const DEFAULTS = { timeout: 30_000, servername: "farwatch.example", rejectUnauthorized: false };

/** Avoids fetch(), because it can't trust a self-signed certificate and takes twice as long under load. */
export function send(url: string, options: RequestOptions = {}, body = ""): Promise<Response> {
  return new Promise((resolve) => {
    const fail = () => resolve({ status: 0, text: "", headers: {} });
    const { request } = url.startsWith("https:") ? https : http;
    const sending = request(url, { ...DEFAULTS, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      response.on("error", fail);
    });
    sending.on("error", fail);
    sending.on("timeout", () => sending.destroy());
    sending.end(body);
  });
}
