/** Words of the container tool's messages, and the most frequent words of English. */
const words = new Set(
  `a about above access active actual add address admin after again all allocate allocated already also an and another
  any api app apps archive are argument as at attach attached auth authentication available back bad base be because
  been before being below bind block boot both bridge broken build building built but by cache call can cannot cause
  change changed channel check child client close closed code command compose config configuration configure conflict
  connect connected connection container containers content context copy could cpu create created creating daemon data
  database date day db debug default delete deleted denied depend dependency depends device did digest dir directory disk
  do docker does domain done down download downloading driver duplicate each empty enabled end ended endpoint engine
  entry env environment error errors event exceeded exec executable exist existing exists exit exited expected failed
  failure fault field file files find first flag folder for forbidden format found free from full gateway get go good
  group guest had has have he health healthy hello help her here his home host hour how http https i id if image images
  in info initialize input inside install instead internal interrupted into invalid ip is it its job json just key kill
  killed kind know label last latest layer left like limit line link list listen listening load local localhost locked
  log login logs long lost made mail main make manifest many map match max may me memory message min minute missing mode
  more most mount mounted mounting mounts much must my name names need network networks never new next no node none not
  nothing now null number of off on one only open opened operation option or order os other our out output over overlay
  owner pack page parent parse part pass password path pause paused permission permitted pid pipe place platform please
  point policy pool port ports prefix present process profile program project protocol provided public pull pulled
  pulling push range ready read real reason recreate refused registry remote remove removed repeat repository request
  required resource response restart restarted restarting result root rule run running same save scale second secret
  secrets section see send server service services set setting settings shared she shell should show signal size socket
  some space start started starting state status stop stopped stopping storage such support supported sync syntax system
  tag task tcp temporary test text than that the their them then there these they this time timeout to token too tool
  true false try type udp unable under unexpected unhealthy unit unknown unmarshal unsupported until up update upgrade
  url us use used user using valid value variable version volume volumes wait waiting warning was way we web well were
  what when where which while who will with without work worker would write writing wrong yaml yes you your zero`.split(
    /\s+/,
  ),
);

/** Whether other texts contain this one by chance: it has only common words, or is a number that a port can have. */
export function isCommonText(text: string): boolean {
  const plain = text.toLowerCase();
  if (/^\d{1,5}$/.test(plain)) return true;
  return /^[a-z _.:/-]+$/.test(plain) && plain.split(/[^a-z]+/).every((word) => word === '' || words.has(word));
}
