# Every part; a part is a set of functions whose names start with the part's.
for part in packages process cgroups namespace engine registry images systemd postgres pgbouncer traefik restic pebble languages; do
  # shellcheck source=/dev/null
  . "$(dirname "${BASH_SOURCE[0]}")/$part.sh"
done
