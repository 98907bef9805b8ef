# The edge, by Varnish 7: holds the page, its files and the stats for as long as the servers' headers say, and passes
# everything else. Start it with these, for brotli as we built it; for no sign-up on a connection that HAProxy is about to
# close, after a minute; and for a log in memory that knows no visitor and no link to a member's own page:
#   -p http_gzip_support=off
#   -p backend_idle_timeout=50s
#   -p vsl_mask=-SessOpen,-ReqStart,-ReqURL,-ReqHeader,-ReqUnset,-RespHeader,-BereqURL,-BereqHeader,-BereqUnset,-BerespHeader
vcl 4.1;

import std;

# The load balancer, or the one server.
backend origin {
  .host = "127.0.0.1";
  .port = "3000";
  .connect_timeout = 1s;
  .first_byte_timeout = 15s;
  # Down after three failures, back after one answer.
  .probe = { .url = "/robots.txt"; .interval = 500ms; .timeout = 1s; .window = 3; .threshold = 1; .initial = 1; }
}

sub vcl_recv {
  if (req.url ~ "^/api/" && req.url !~ "^/api/waitlist/stats($|\?)") {
    return (pass);
  }
  # What follows is the same for everybody: whichever campaign's link they came by, and whatever cookies other sites of
  # this domain gave them. The page itself reads the campaign, from the visitor's address bar.
  set req.url = regsub(req.url, "\?.*", "");
  unset req.http.Cookie;
  unset req.http.Authorization;
  # Browsers ask for codings in a hundred ways; there are three answers. A coding with q=0 is one they refuse.
  if (req.http.Accept-Encoding ~ "(?i)\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.Accept-Encoding = "br";
  } else if (req.http.Accept-Encoding ~ "(?i)\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }
  # stale-while-revalidate, as the servers say it: what is older is shown only where they fail. Where that is known they
  # aren't asked first, which is three times as many reads a second.
  if (req.restarts == 0 && std.healthy(req.backend_hint)) {
    set req.grace = 10s;
  } else {
    set req.grace = 1y;
  }
}

sub vcl_backend_response {
  if (beresp.status >= 500 && !bereq.uncacheable) {
    return (abandon);
  }
  # Varnish reads max-age and, as grace, stale-while-revalidate; stale-if-error it leaves to us. Only for what is there:
  # addresses that aren't would fill the memory.
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
}

# Whatever could not be fetched for sharing comes here, and what is passed doesn't: once more, and something stale will do.
sub vcl_synth {
  if (req.restarts == 0) {
    return (restart);
  }
}
