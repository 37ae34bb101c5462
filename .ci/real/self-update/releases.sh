# Two releases of this source, one version apart, signed with a key that is made for them and thrown away.
#   bash .ci/real/self-update/releases.sh FOLDER
# Leaves FOLDER/releases/{first,second}, FOLDER/releases/key.pem, and the first one unpacked in FOLDER/unpacked.
set -euo pipefail
folder=$1 platform=linux-$(node -p process.arch)
mkdir -p "$folder/releases" "$folder/unpacked"
openssl genpkey -algorithm ed25519 -out "$folder/releases/key.pem"
git clone -q --no-hardlinks "$PWD" "$folder/source"
cp -al node_modules "$folder/source/"
release() {
  npm version --no-git-tag-version "$2" >/dev/null
  git -c user.name=test -c user.email=test@localhost commit -qam "Version $2"
  npm run -s release -- --key "$folder/releases/key.pem" --platform "$platform" --out "$folder/releases/$1" \
    --changelog "https://boxgate.example/changelog/$2"
}
(
  cd "$folder/source"
  release first 90.0.1
  release second 90.0.2
)
tar -xzf "$folder"/releases/first/*.tar.gz -C "$folder/unpacked" --strip-components=1
rm -rf "$folder/source"
