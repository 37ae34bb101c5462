// Shows the OpenAPI document of the page with Redoc, in the colours that the browser prefers.
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
const ink = isDark ? '#e8ebf0' : '#1b1f26';
const quiet = isDark ? '#a6afbd' : '#535b68';
const ground = isDark ? '#14171c' : '#ffffff';
const raised = isDark ? '#1e232b' : '#f4f5f7';
const line = isDark ? '#3a424e' : '#d3d7de';
const link = isDark ? '#8ab8ff' : '#0b57b0';

const good = isDark ? '#7fd6a3' : '#14643a';
const bad = isDark ? '#ff9a94' : '#a81c1c';

const options = {
  hideDownloadButtons: true,
  nativeScrollbars: true,
  expandResponses: '200,201',
  jsonSamplesExpandLevel: 4,
  hideSingleRequestSampleTab: true,
  theme: {
    colors: {
      primary: { main: link },
      success: { main: good },
      error: { main: bad },
      responses: { success: { color: good }, error: { color: bad } },
      text: { primary: ink, secondary: quiet },
      border: { light: line, dark: line },
      gray: { 50: raised, 100: raised },
    },
    schema: {
      nestedBackground: raised,
      linesColor: line,
      typeNameColor: quiet,
      typeTitleColor: quiet,
      requireLabelColor: bad,
    },
    typography: {
      fontFamily: 'system-ui, sans-serif',
      headings: { fontFamily: 'system-ui, sans-serif' },
      code: { fontFamily: 'ui-monospace, monospace', color: ink, backgroundColor: raised },
      links: { color: link, visited: link, hover: link },
    },
    sidebar: { backgroundColor: raised, textColor: ink, activeTextColor: link },
    rightPanel: { backgroundColor: '#263238' },
    fab: { backgroundColor: ground, color: link },
  },
};

const place = document.getElementById('reference');

globalThis.Redoc.init(JSON.parse(document.getElementById('document').textContent), options, place, () => {
  // Samples that are wider than their box can be scrolled with the keyboard.
  for (const sample of place.querySelectorAll('pre')) sample.tabIndex = 0;
  makeButton(place.querySelector('.menu-content + div'));
});

/** Lets the keyboard reach the element that opens the menu in a narrow window. */
function makeButton(element) {
  element.setAttribute('role', 'button');
  element.setAttribute('aria-label', 'Menu');
  element.setAttribute('tabindex', '0');
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') element.click();
  });
}
