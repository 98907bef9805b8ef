# Kubernetes' control plane, with its files in the current folder: sh control-plane.sh <address>
set -e
etcd=http://127.0.0.1:23790
echo drill,admin,admin,system:masters >tokens.csv
openssl genrsa -out key.pem 2048
etcd --data-dir=etcd --listen-client-urls=$etcd --advertise-client-urls=$etcd \
  --listen-peer-urls=http://127.0.0.1:23800 --unsafe-no-fsync &
kube-apiserver --etcd-servers=$etcd --bind-address="$1" --cert-dir=. --token-auth-file=tokens.csv \
  --authorization-mode=RBAC --endpoint-reconciler-type=none --service-cluster-ip-range=10.205.0.0/24 \
  --kubelet-preferred-address-types=InternalIP \
  --service-account-issuer=drill --service-account-key-file=key.pem --service-account-signing-key-file=key.pem &
until kubectl get --raw=/readyz; do sleep 0.5; done
kube-controller-manager --kubeconfig="$KUBECONFIG" --secure-port=0 --leader-elect=false \
  --service-account-private-key-file=key.pem &
kube-scheduler --kubeconfig="$KUBECONFIG" --secure-port=0 --leader-elect=false &
wait
