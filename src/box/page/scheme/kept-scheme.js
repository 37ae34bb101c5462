// Runs before anything is painted, so that no page appears in the wrong colours first.
try {
  document.documentElement.dataset.scheme = localStorage.getItem('boxgate-scheme') ?? 'dark';
} catch {
  // Without storage the page is dark, and a choice lasts until it is closed.
}
