-- wrk's requests: sign-ups like those of tests/support/requests.ts, unique within the run that the argument names.
local run, count = "", 0

function init(args)
  run = args[1]
  math.randomseed(tonumber(run, 16))
end

function request()
  count = count + 1
  local id = string.format("%08x%08x", math.random(0, 2 ^ 31 - 1), count)
  local number = math.random(0, 2 ^ 31 - 1)
  local company = number % 2 == 1 and "Company " .. number % 20000 or ""
  local body = string.format(
    '{"firstName":"Ada","lastName":"Lovelace","email":"%s.%s@mail%d.example.com","company":"%s","newsletter":%s,"website":""}',
    id, run, number % 500, company, tostring(number % 4 == 0)
  )
  local headers = { ["content-type"] = "application/json", ["idempotency-key"] = id .. id }
  return wrk.format("POST", nil, headers, body)
end

function done(summary)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('{"signUps":%d,"failed":%d}', summary.requests, failed))
end
