#!/bin/bash
# Runs every command that the fake serves and prints a transcript: `$ command`, its output, its errors, its status.
#   record.sh REPOSITORY FOLDER >recordings/engine-VERSION-compose-VERSION.txt
# with the real `docker` on PATH, an empty engine, and a registry that has REPOSITORY:1, :2, :3 and :stops.
# The transcripts are never edited; recordings.proof.test.ts compares the fake with them.
set -u
web=$1 folder=$2
mkdir -p "$folder/shop" && cd "$folder/shop" || exit 1
r() {
  echo "\$ $*"
  "$@" >../out 2>../err
  local status=$?
  # awk ends every line, also the last one of a command that did not.
  awk '{ print "out| " $0 }' ../out
  awk '{ print "err| " $0 }' ../err
  echo "= $status"
}
service() { echo "  $1: {image: \"$web:$2\", stop_grace_period: 1s${3:+, $3}}"; }
file() { { echo 'services:'; cat; } >"$1"; }

echo "# $(docker version --format 'Engine {{.Server.Version}}'), Compose $(docker compose version --short), $(date -u +%F)"
printf 'V=v\nSECRET="a\\"b\\\\c\\$d\\ne"\n' >.env
{ service web 1 'env_file: .env, ports: ["127.0.0.1:18097:8080"], volumes: ["./d:/d", "store:/s"], depends_on: [db]'
  service db 2 'healthcheck: {test: [CMD, "true"], interval: 1s}'
  echo 'volumes: {store: {}}'; } | file compose.yaml

r docker version
r docker version --format '{{.Server.Version}}'
r docker info --format '{{.ServerVersion}}'
r docker --version
r docker compose version
r docker compose version --short
r docker compose version --format json
r docker compose config
r docker compose config --format json
r docker compose config --services
r docker compose config --images
r docker compose config -q
r docker compose pull
r docker compose create
r docker compose start
r docker compose up -d
r docker compose up -d --wait
r docker compose ps
r docker compose ps --format json
r docker compose ps -a -q
r docker compose images
r docker compose images --format json
r docker compose ls
r docker compose ls --format json
r docker compose logs --no-color
r docker ps
r docker ps --format json
r docker container ls -a --format '{{.Names}} {{.State}}'
r docker inspect shop-web-1
r docker container inspect shop-web-1 --format '{{.State.Status}}'
r docker inspect shop-web-1 --format '{{.State.Health.Status}}'
r docker image inspect "$web:1"
r docker images
r docker image ls --format json
r docker compose stop web
r docker compose kill db
r docker compose start
r docker compose restart db
r docker compose up -d --force-recreate web
r docker compose stop
r docker compose rm -f
r docker compose down
r docker compose down
r docker compose down -v --rmi all
r docker compose -p nothing down
r docker compose -p nothing start
r docker compose -p nothing stop
r docker compose -p nothing restart
r docker compose -p nothing kill
r docker compose -p nothing rm -f
r docker compose -p nothing logs
r docker compose -p nothing ps

r docker pull "$web:1"
r docker pull -q "$web:2"
r docker image pull -q "$web:2"
r docker pull "$web:nosuch"
r docker pull Bad:ref
r docker tag "$web:1" shop:kept
r docker image tag shop:kept shop:again
r docker rmi shop:again
r docker rmi nothing
r docker tag nothing x:1
r docker inspect nothing
r docker image inspect nothing
r docker container inspect nothing

service web 1 | file one.yaml
r docker compose -p acts -f one.yaml up -d
r docker stop acts-web-1
r docker start acts-web-1
r docker restart -t 0 acts-web-1
r docker kill acts-web-1
r docker kill acts-web-1
r docker start acts-web-1
r docker rm acts-web-1
r docker container stop acts-web-1
r docker container rm acts-web-1
r docker stop acts-web-1
r docker events --since 0 --until 1 --filter event=die --format json
r docker events more
r docker compose -p acts down

service web nosuch | file missing.yaml
r docker compose -f missing.yaml pull
r docker compose -f missing.yaml pull -q
r docker compose -f missing.yaml up -d
service web stops | file stops.yaml
r docker compose -p stops -f stops.yaml up -d --wait
r docker logs --tail 1 stops-web-1
r docker container logs stops-web-1
r docker compose -p stops logs --tail 1 --no-log-prefix
r docker logs nothing
r docker logs
r docker compose -p stops down
{ service web 1 'depends_on: {db: {condition: service_healthy}}'
  service db 3 'healthcheck: {test: [CMD, "false"], interval: 1s, retries: 1}'; } | file sick.yaml
r docker compose -p sick -f sick.yaml up -d
r docker compose -p sick down
mkdir made && echo "FROM $web:1" >made/Dockerfile
echo '  web: {build: ./made}' | file built.yaml
r docker compose -f built.yaml pull
r docker compose -f built.yaml config

r docker compose -f none.yaml config -q
r docker compose --env-file none.env config -q
: >empty.yaml
r docker compose -f empty.yaml config -q
echo '  web: {image: x, foo: 1}' | file odd.yaml
r docker compose -f odd.yaml config -q
echo '  web: {}' | file bare.yaml
r docker compose -f bare.yaml config -q
echo '  web: {image: x, env_file: none.env}' | file noenv.yaml
r docker compose -f noenv.yaml config -q
printf 'A="x\n' >torn.env
r docker compose --env-file torn.env config -q
r docker compose up -d nosuch
r docker compose up -d --force-recreate --no-recreate
export DOCKER_HOST=unix:///nowhere.sock
# The fake has no sockets, so a command stops it.
${STOP_ENGINE:-}
r docker ps
r docker events --format json
r docker logs x
r docker compose ps
r docker compose config -q
r docker version --format '{{.Server.Version}}'
r docker info --format '{{.ServerVersion}}'
r docker image inspect x
