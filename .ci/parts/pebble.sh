# Pebble, a certificate authority for tests, with a name server that answers every name with one address.

# pebble_fetch PACKAGES ROOT
pebble_fetch() {
  # Older ones do not demand the header User-Agent.
  packages_unpack "$1" "$2" pebble/forky
}
