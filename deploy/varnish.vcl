# Edge cache with Varnish 7: caches the page, its files and the stats for as long as the servers' headers allow, and
# passes everything else. Start it with these parameters: our own brotli instead of Varnish's gzip; no sign-up on a
# connection that HAProxy is about to close (it does after a minute); no visitor and no member link in the in-memory log:
#   -p http_gzip_support=off
#   -p backend_idle_timeout=50s
#   -p vsl_mask=-SessOpen,-ReqStart,-ReqURL,-ReqHeader,-ReqUnset,-RespHeader,-BereqURL,-BereqHeader,-BereqUnset,-BerespHeader
vcl 4.1;

import std;

# The load balancer, or a single server.
backend origin {
  .host = "127.0.0.1";
  .port = "3000";
  .connect_timeout = 1s;
  .first_byte_timeout = 15s;
  # Down after three failures, up after one success.
  .probe = { .url = "/robots.txt"; .interval = 500ms; .timeout = 1s; .window = 3; .threshold = 1; .initial = 1; }
}

sub vcl_recv {
  if (req.url ~ "^/api/" && req.url !~ "^/api/waitlist/stats($|\?)") {
    return (pass);
  }
  # From here on the response is the same for everyone, whatever the campaign link and whatever cookies other sites of
  # this domain set. The page itself reads the campaign from the visitor's address bar.
  set req.url = regsub(req.url, "\?.*", "");
  unset req.http.Cookie;
  unset req.http.Authorization;
  # Normalize Accept-Encoding to three variants. An encoding with q=0 is refused by the client.
  if (req.http.Accept-Encoding ~ "(?i)\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.Accept-Encoding = "br";
  } else if (req.http.Accept-Encoding ~ "(?i)\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
  # stale-while-revalidate, as the servers send it; older content is served only if they fail. If the probe knows they
  # are down, they aren't asked first, which is three times as many reads per second.
  if (req.restarts == 0 && std.healthy(req.backend_hint)) {
    set req.grace = 10s;
  } else {
    set req.grace = 1y;
  }
}

# By URL alone: with the Host header in the hash, made-up hosts would fill the memory with copies of the page.
sub vcl_hash {
  hash_data(req.url);
  return (lookup);
}

sub vcl_backend_response {
  if (beresp.status >= 500 && !bereq.uncacheable) {
    return (abandon);
  }
  # Varnish reads max-age and, as grace, stale-while-revalidate; stale-if-error is added here. Only for a 200: unknown
  # paths would fill the memory.
  if (beresp.status == 200) {
    set beresp.grace = beresp.grace + std.duration(
      regsub(beresp.http.Cache-Control, "^.*stale-if-error=(\d+).*$", "\1s"), 0s);
  } else {
    set beresp.grace = 0s;
  }
}

sub vcl_backend_error {
  if (!bereq.uncacheable) {
    return (abandon);
  }
  set beresp.http.Content-Security-Policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
  set beresp.http.Strict-Transport-Security = "max-age=63072000; includeSubDomains; preload";
  set beresp.http.X-Content-Type-Options = "nosniff";
}

# A cacheable fetch that was abandoned ends here (a passed request doesn't): restart once, and accept stale content.
sub vcl_synth {
  if (req.restarts == 0) {
    return (restart);
  }
  set resp.http.Content-Security-Policy = "default-src 'none'; frame-ancestors 'none'; sandbox";
  set resp.http.Strict-Transport-Security = "max-age=63072000; includeSubDomains; preload";
  set resp.http.X-Content-Type-Options = "nosniff";
}
