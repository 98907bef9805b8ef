#!/usr/bin/env bash
# `npm run drill -- machine`: boots a fresh Debian and runs the installation guide of docs/operations.md on it verbatim,
# from the bare machine to an upgrade, while a client keeps requesting the site; then reboots it. Takes four minutes,
# needs root, and cleans up after itself (Debian: debootstrap, iproute2, iptables, openssl, systemd-container).
# The certificate authority and the mail provider are fakes, set up in inside.sh.
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

# A separate network namespace, because the guide also sets up the firewall.
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
# As in "Set your brand": with the example postal address no mail is sent.
git clone --quiet . "$folder/source"
sed --in-place 's/100 Example Street, Example City/1 Main Street, Springfield/' "$folder/source/brand/brand.ts"
git -C "$folder/source" -c user.name=Drill -c user.email=drill@farwatch.example \
  commit --quiet --all --message "Set the postal address"
git clone --quiet --bare "$folder/source" "$machine/opt/farwatch.git"
install -D tests/drills/machine/inside.sh -t "$machine/opt/drill"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=farwatch.example \
  -addext subjectAltName=DNS:farwatch.example,DNS:smtp.example \
  -keyout "$machine/opt/drill/privkey.pem" -out "$machine/opt/drill/fullchain.pem" 2>/dev/null
# In addition to the host's own CAs, for TLS proxies between it and the package registries.
cp --recursive /usr/local/share/ca-certificates "$machine/usr/local/share/"
cp "$machine/opt/drill/fullchain.pem" "$machine/usr/local/share/ca-certificates/drill.crt"
awk '/^## /  { part = /^## Install on Debian$/ }
     /^```$/ { block = 0 }
     part && block
     /^```sh$/ { block = 1 }' docs/operations.md >"$machine/opt/drill/commands"
registry=$(npm config get registry)
sed --in-place "s|https://npm.example|${registry%/}|" "$machine/opt/drill/commands"
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
# It would take over the console.
systemctl --root="$machine" --quiet mask console-getty.service

for boot in first second; do
  echo "== $boot boot"
  # The capabilities and bpf are for systemd's IP address filters.
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 timeout 1200 systemd-nspawn --quiet --register=no --keep-unit --boot \
    --directory="$machine" --network-namespace-path="/run/netns/$name" --resolv-conf=copy-host \
    --capability=CAP_BPF,CAP_NET_ADMIN,CAP_PERFMON --system-call-filter=bpf --console=read-only \
    systemd.show_status=no
done
echo "The site came up as documented, served every request, and was back after a reboot"
