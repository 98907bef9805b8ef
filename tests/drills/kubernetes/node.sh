# Node 1 or 2 of the cluster, in its own namespaces, with its files in the current folder: sh node.sh <number> <images>
set -e
for each in /run /var/log; do mount -t tmpfs tmpfs $each; done
mount --bind . /var/lib
# Gives the kubelet copies of the kernel settings that it changes, because the real ones affect the whole machine.
for each in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops; do
  cp /proc/sys/$each "/run/${each#*/}"
  mount --bind "/run/${each#*/}" /proc/sys/$each
done
ip route add "10.204.$((3 - $1)).0/24" via "10.203.0.$((3 - $1))"

mkdir /run/cni
mkdir -m 777 /run/erasures
cat >/run/cni/bridge.conflist <<JSON
{ "cniVersion": "1.0.0", "name": "drill", "plugins": [{ "type": "bridge", "isGateway": true, "ipMasq": true, "ipam": {
  "type": "host-local", "ranges": [[{ "subnet": "10.204.$1.0/24" }]], "routes": [{ "dst": "0.0.0.0/0" }] } }] }
JSON
cat >/run/containerd.toml <<TOML
version = 3
[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "docker.io/library/pause:drill"
[plugins."io.containerd.cri.v1.runtime"]
restrict_oom_score_adj = true
cni = { bin_dirs = ["$(dirname "$(command -v host-local)")"], conf_dir = "/run/cni" }
TOML
containerd --config=/run/containerd.toml &
until ctr version; do sleep 0.5; done
ctr --namespace=k8s.io images import "$2"

cat >/run/kubelet.yaml <<'YAML'
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: [none]
evictionHard: { nodefs.available: 0%, imagefs.available: 0%, memory.available: 0% }
YAML
kube-proxy --kubeconfig="$KUBECONFIG" --hostname-override="node-$1" --masquerade-all --conntrack-max-per-core=0 &
exec kubelet --config=/run/kubelet.yaml --kubeconfig="$KUBECONFIG" --hostname-override="node-$1" --node-ip="10.203.0.$1"
