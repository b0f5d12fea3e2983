# What the guides use. In bash, in the folder of the service: source docs/public/helpers.sh

export BASE=${BASE:-http://localhost:3000} DATA_DIR=${DATA_DIR:-.data}
JSON='Content-Type: application/json'
# The user agent of a phone: curl of its own counts as a bot.
PHONE='Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

# curl with the access token in TOKEN. An error status prints the problem and fails.
api() { curl -sS --fail-with-body -w '\n' -H "Authorization: Bearer ${TOKEN:-}" "$@"; }

# Prints a field of the JSON object on standard input, or fails: field id, field scan.id
field() {
  node -p 'const text = fs.readFileSync(0, "utf8");
    process.argv[1].split(".").reduce((value, name) => value?.[name], JSON.parse(text)) ?? assert.fail(text)' "$1"
}

# Waits for an email to an address and prints the newest text that matches a pattern: mailed <email> <pattern>
mailed() {
  local try file text=''
  for try in $(seq 50); do
    text=$(for file in $(grep -ls "^To: $1" "$DATA_DIR"/mailbox/*.eml); do cat "$file"; done | node -p '
      const text = fs.readFileSync(0, "utf8").replace(/=\r?\n/g, "").replace(/=3D/g, "=");
      [...text.matchAll(new RegExp(process.argv[1], "g"))].at(-1)?.[1] ?? ""' "$2")
    [ "$text" ] && echo "$text" && return
    sleep 0.2
  done
  echo "No email to $1 has $2." >&2
  return 1
}

# Logs in and prints the access token. Makes the account first, if there is none: log_in <email>
log_in() {
  local TOKEN='' otp='' credentials='{"email":"'$1'","password":"a lighthouse for lost dogs"}'
  curl -sf $BASE/api/auth/login -H "$JSON" -d "$credentials" | field accessToken 2> /dev/null && return
  api $BASE/api/auth/register -H "$JSON" -d "$credentials" > /dev/null || return
  otp=$(mailed "$1" '([0-9]{6}) is your confirmation code') || return
  TOKEN=$(api $BASE/api/auth/verify-otp -H "$JSON" -d '{"email":"'$1'","otp":"'$otp'"}' | field accessToken) || return
  api $BASE/api/auth/create-profile -H "$JSON" \
    -d '{"firstName":"Ada","lastName":"Lovelace","accountType":"INDIVIDUAL"}' > /dev/null || return
  echo "$TOKEN"
}
