#!/bin/sh
# Builds this version in place, with Node from nodejs.org. Fails unless one of Node's releasers signed its checksum.
set -eu
cd "$(dirname "$0")/.."
version=v$(cat .nvmrc)
node=node-$version-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')

mkdir node
cd node
for file in SHASUMS256.txt SHASUMS256.txt.sig "$node.tar.gz"; do
  curl -fsSLO "${NODE_MIRROR:-https://nodejs.org/dist}/$version/$file"
done
# From github.com/nodejs/release-keys, commit b280730: gpg-only-active-keys/pubring.kbx.
gpgv --keyring ../deploy/node-release-keys.kbx SHASUMS256.txt.sig SHASUMS256.txt
sha256sum --check --ignore-missing SHASUMS256.txt
tar -xzf "$node.tar.gz" --no-same-owner --strip-components=1
rm "$node.tar.gz"
cd ..

export PATH="$PWD/node/bin:$PATH"
npm ci
# Replaces npm's repackaged Node, which is for development.
ln -sf ../../node/bin/node node_modules/.bin/node
npm run build
