// Filters the requirements. The page is complete without this script.
const form = document.querySelector('.filters');
const said = form.querySelector('[role=status]');
const items = [...document.querySelectorAll('.requirement')];
const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));

function fits(item, { outcome, level, topic, text }) {
  return (
    (outcome === '' || item.dataset.outcome === outcome) &&
    (level === '' || item.dataset.level === level) &&
    (topic === '' || item.dataset.topics.split(' ').includes(topic)) &&
    texts.get(item).includes(text.toLowerCase())
  );
}

function filter() {
  const asked = Object.fromEntries(new FormData(form));
  for (const item of items) item.hidden = !fits(item, asked);
  for (const group of document.querySelectorAll('.group')) {
    group.hidden = !group.querySelector('.requirement:not([hidden])');
  }
  said.textContent = `${items.filter((item) => !item.hidden).length} of ${items.length} requirements`;
}

/** Shows and opens the target of a link if it is hidden or closed. */
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const item = target?.closest('.requirement');
  if (!item) return;
  if (item.hidden) {
    form.reset();
    filter();
  }
  item.open = true;
  target.scrollIntoView();
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', reveal);
filter();
reveal();
