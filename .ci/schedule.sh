# Runs steps in parallel as far as the slots allow, and reports their results.

# Two processors carry three steps: those on real parts wait half of their time.
slots_free=3
names=()
declare -A slots_of=() needs_of=() command_of=() pid_of=() started_at=() result_of=()

# step PLAN SLOTS NEEDS NAME COMMAND…: starts once the steps NEEDS have passed and SLOTS are free. Ignored if $plans, the
# plans of this run, lacks PLAN.
step() {
  local plan=$1 name=$4
  [[ " $plans " = *" $plan "* ]] || return 0
  names+=("$name")
  slots_of[$name]=$2 needs_of[$name]=$3
  shift 4
  command_of[$name]=$*
}

schedule_run() {
  local name
  mkdir -p artefacts
  rm -f artefacts/*.log
  while [ ${#result_of[@]} -lt ${#names[@]} ]; do
    for name in "${names[@]}"; do step_start "$name"; done
    if [ ${#pid_of[@]} -gt 0 ]; then step_end; fi
  done
  schedule_report
}

# step_start NAME: starts it if it is ready. A step that needs more slots than are free does not block later ones.
step_start() {
  local name=$1 need
  [ -z "${pid_of[$name]-}${result_of[$name]-}" ] || return 0
  for need in ${needs_of[$name]}; do
    case ${result_of[$need]-} in
      passed) ;;
      '') return 0 ;;
      *) result_of[$name]="not run: $need failed" && return 0 ;;
    esac
  done
  [ "${slots_of[$name]}" -le "$slots_free" ] || return 0
  slots_free=$((slots_free - slots_of[$name]))
  started_at[$name]=$SECONDS
  echo "== $name started, see artefacts/$name.log"
  (
    export BOXGATE_STEP=$name
    TIMEFORMAT='cpu %U %S'
    time ${command_of[$name]}
  ) </dev/null >"artefacts/$name.log" 2>&1 &
  pid_of[$name]=$!
}

# step_end: waits until any step ends, and records its result.
step_end() {
  local name pid status=0
  wait -n -p pid "${pid_of[@]}" || status=$?
  for name in "${!pid_of[@]}"; do
    [ "${pid_of[$name]}" = "$pid" ] || continue
    result_of[$name]=passed
    [ $status -eq 0 ] || result_of[$name]=failed
    slots_free=$((slots_free + slots_of[$name]))
    echo "== $name ${result_of[$name]} after $((SECONDS - started_at[$name])) s"
    unset "pid_of[$name]"
    return
  done
}

# schedule_kill: kills every step that still runs. The first process of its namespace takes all others along.
schedule_kill() {
  local name
  for name in "${!pid_of[@]}"; do
    kill -KILL -- "-${pid_of[$name]}" 2>/dev/null && wait "${pid_of[$name]}" 2>/dev/null || true
  done
}

# schedule_report: the details of each failed step, then one line for each failure, and the sums.
schedule_report() {
  local name red=() failed lines=()
  for name in "${names[@]}"; do [ "${result_of[$name]}" = passed ] || red+=("$name"); done
  for name in ${red[@]+"${red[@]}"}; do
    [ "${result_of[$name]}" = failed ] && step_details "$name"
    mapfile -t -O ${#lines[@]} lines < <(step_failures "$name")
  done
  [ ${#lines[@]} -eq 0 ] || printf '%s\n' '' "${lines[@]:0:8}"
  [ ${#lines[@]} -le 8 ] || echo "… and $((${#lines[@]} - 8)) more"
  failed=$(total fail)
  # A step can fail without a failed test.
  [ "$failed" -gt 0 ] || failed=${#red[@]}
  echo "$(total pass) passed, $(total passed-late) passed late, $failed failed, $(total skipped) skipped"
  [ "$failed" -eq 0 ] && [ ${#red[@]} -eq 0 ]
}

# step_details NAME: the failures that the test runner and the suites report, or else its last lines.
step_details() {
  echo "== what failed in $1"
  # awk reads to the end: a pipe that is closed early would end this script.
  awk '/^✖ failing tests:/ { left = 60 }
       /^(FAIL|TIMEOUT|UNEXPECTED-PASS|SUITE-ERROR|PASSED-LATE|fail|timeout|unexpected-pass|suite-error|passed-late) [a-z]+\// { left = 30 }
       / not covered: / { left = 1 }
       left-- > 0 && printed++ < 150
       END { exit !printed }' "artefacts/$1.log" || tail -n 20 "artefacts/$1.log"
}

# step_failures NAME: one line for each failed test or check, or its last line; with the artefact.
step_failures() {
  if [ "${result_of[$1]}" != failed ]; then
    echo "FAILED $1: ${result_of[$1]}"
    return
  fi
  awk -v step="$1" '
    function report(what) { print "FAILED " step ": " substr(what, 1, 160) " (artefacts/" step ".log)"; found = 1 }
    /^✖ failing tests:/ { failing = 1; next }
    failing && /^test at / { at = $3; next }
    failing && at && sub(/^✖ /, "") { report(at " " $0); at = "" }
    /^(FAIL|TIMEOUT|UNEXPECTED-PASS|SUITE-ERROR|PASSED-LATE|fail|timeout|unexpected-pass|suite-error|passed-late) [a-z]+\// { report($0) }
    NF && !/^(cpu|npm )/ { last = $0 }
    END { if (!found) report(last) }' "artefacts/$1.log"
}

# total WORD: the sum over all steps of the counts of node's test runner and of the conformance suites.
total() {
  cat artefacts/*.log |
    sed -nE "s/^(ℹ|#) $1 ([0-9]+)\$/\\2/p; s/^[0-9]+ checks, seed [0-9]+:.* ([0-9]+) $1(,.*)?\$/\\1/p" |
    awk '{ n += $1 } END { print n + 0 }'
}
