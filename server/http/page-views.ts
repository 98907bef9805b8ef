import type { FastifyRequest } from "fastify";
import { NO_ORIGIN, originOfPage } from "#core/people/origin.ts";
import type { ViewCounter } from "#core/views/view-counter.ts";

/** Crawlers that run a real browser; others don't send Sec-Fetch headers. Cubot is a brand of phones. */
const CRAWLER = /(?<!cu)bot|crawl|spider|headless|lighthouse|preview|inspect|monitor|synthetic/i;

/** Shared caches, by their name in Via. Not any Via header, because a visitor's own proxy adds one too. */
const CACHE = /varnish|cloudfront|google|azure|trafficserver|cache/i;

/** Counts a page that a person opened, and forgets the request. */
export function countPageView({ method, headers, url, ips = [] }: FastifyRequest, views: ViewCounter): void {
  const isOpened =
    method === "GET" &&
    headers["sec-fetch-dest"] === "document" &&
    headers["sec-fetch-mode"] === "navigate" &&
    // Browsers send these headers only when prefetching.
    headers["sec-purpose"] === undefined &&
    headers.purpose === undefined &&
    !CRAWLER.test(headers["user-agent"] ?? "");
  if (!isOpened) return;
  // Looks for parameters first, because most visitors have none.
  const { utm } = url.includes("?") ? originOfPage(`http://localhost${url}`) : NO_ORIGIN;
  // Behind a trusted proxy, there are two addresses. Anyone else could make the console's figures a minimum.
  const isBehindCache = ips.length > 1 && (headers["cdn-loop"] !== undefined || CACHE.test(headers.via ?? ""));
  views.count(utm ?? {}, isBehindCache);
}
