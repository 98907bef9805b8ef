#!/usr/bin/env bash
# `npm run drill -- machine`: a fresh Debian is booted and docs/operations.md, from a bare machine to a new version, typed
# into it to the word, while a visitor comes by; then it is booted once more. Takes four minutes, as root, and leaves
# nothing behind (Debian: debootstrap, iproute2, iptables, openssl, systemd-container).
# Not real are the certificates' authority and the mail provider: inside.sh stands in for them.
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=$(mktemp -d)
machine=$folder/farwatch
name=farwatch-$$
network=10.203.7
forwarding=$(cat /proc/sys/net/ipv4/ip_forward)
masquerade=(POSTROUTING -t nat -s "$network.0/30" -j MASQUERADE)
clean_up() {
  ip netns delete "$name" || true
  iptables -D "${masquerade[@]}" || true
  echo "$forwarding" >/proc/sys/net/ipv4/ip_forward
  rm -rf "$folder"
}
trap clean_up EXIT

# A network of its own, because the firewall is typed too.
ip netns add "$name"
ip link add "$name" type veth peer name eth0 netns "$name"
ip address add "$network.1/30" dev "$name"
ip link set "$name" up
ip -n "$name" address add "$network.2/30" dev eth0
for device in lo eth0; do ip -n "$name" link set "$device" up; done
ip -n "$name" route add default via "$network.1"
iptables -A "${masquerade[@]}"
echo 1 >/proc/sys/net/ipv4/ip_forward

debootstrap --variant=minbase --include=dbus,systemd-sysv bookworm "$machine" >/dev/null
git clone --quiet --bare . "$machine/opt/farwatch.git"
install -D tests/drills/machine/inside.sh -t "$machine/opt/drill"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=farwatch.example \
  -addext subjectAltName=DNS:farwatch.example,DNS:smtp.example \
  -keyout "$machine/opt/drill/privkey.pem" -out "$machine/opt/drill/fullchain.pem" 2>/dev/null
# Beside whatever authorities of our own stand between us and the registries.
cp --recursive /usr/local/share/ca-certificates "$machine/usr/local/share/"
cp "$machine/opt/drill/fullchain.pem" "$machine/usr/local/share/ca-certificates/drill.crt"
awk '/^## /  { part = /^## From a bare Debian machine/ }
     /^```$/ { block = 0 }
     part && block
     /^```sh$/ { block = 1 }' docs/operations.md >"$machine/opt/drill/typed"
registry=$(npm config get registry)
sed --in-place "s|https://npm.example|${registry%/}|" "$machine/opt/drill/typed"
cat >"$machine/etc/systemd/system/drill.service" <<'END'
[Unit]
After=multi-user.target
[Service]
StandardOutput=tty
ExecStart=/bin/bash /opt/drill/inside.sh
ExecStopPost=/bin/sh -c 'systemctl exit "$EXIT_STATUS"'
[Install]
WantedBy=default.target
END
systemctl --root="$machine" --quiet enable drill.service
# It would take the console for itself.
systemctl --root="$machine" --quiet mask console-getty.service

for boot in first second; do
  echo "== the $boot boot"
  # With what systemd needs to filter addresses.
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout 1200 systemd-nspawn --quiet --register=no --keep-unit --boot \
    --directory="$machine" --network-namespace-path="/run/netns/$name" --resolv-conf=copy-host \
    --capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON --system-call-filter=bpf --console=read-only \
    systemd.show_status=no
done
echo "The site came up as described, served everybody, and was there again after a reboot"
