extension InspectorPage {
  /// The elements that the script fills.
  static let body = #"""
    <header>
      <h1><span id="title">Container</span> <small id="number"></small></h1>
      <div class="search">
        <input id="search" type="search" role="combobox" aria-label="Search services" aria-autocomplete="list" aria-controls="matches"
          aria-expanded="false" placeholder="Search services" autocomplete="off" spellcheck="false"><kbd>/</kbd>
        <ul id="matches" role="listbox" aria-label="Services" hidden></ul>
      </div>
      <div class="tools">
        <span id="updated"></span>
        <label><input id="follow" type="checkbox"> every 2 s</label>
        <button id="refresh" type="button">Refresh</button>
      </div>
    </header>
    <p id="failure" role="alert" hidden></p>
    <main>
      <section class="card canvas" aria-label="Dependency graph">
        <div class="bar">
          <div class="choice" role="group" aria-label="Overview">
            <button id="show-services" type="button" aria-pressed="true">Services</button>
            <button id="show-clusters" type="button" aria-pressed="false">Clusters</button>
          </div>
          <strong id="place"></strong>
          <label>Depth
            <select id="depth">
              <option value="1">1</option><option value="2">2</option><option value="3">3</option><option value="4">4</option>
              <option value="99">all</option>
            </select>
          </label>
          <div class="choice" role="group" aria-label="Zoom">
            <button id="zoom-out" type="button" aria-label="Zoom out">−</button>
            <button id="zoom-fit" type="button">Fit</button>
            <button id="zoom-in" type="button" aria-label="Zoom in">+</button>
          </div>
        </div>
        <svg id="graph" role="group" aria-label="Services. Arrow keys move, Enter shows the neighbourhood, Escape leaves it.">
          <defs>
            <marker id="arrow-plain" class="plain" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" markerHeight="8"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z"/></marker>
            <marker id="arrow-awaits" class="awaits" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" markerHeight="8"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z"/></marker>
            <marker id="arrow-cycle" class="cycle" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="10" markerHeight="10"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z"/></marker>
            <marker id="arrow-captive" class="captive" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="10" markerHeight="10"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L8 4L0 7.5z"/></marker>
            <marker id="hollow-plain" class="plain hollow" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="9" markerHeight="9"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M.5 1L7 4L.5 7z"/></marker>
            <marker id="hollow-awaits" class="awaits hollow" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="9" markerHeight="9"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M.5 1L7 4L.5 7z"/></marker>
            <marker id="hollow-cycle" class="cycle hollow" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="10" markerHeight="10"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M.5 1L7 4L.5 7z"/></marker>
            <marker id="hollow-captive" class="captive hollow" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="10" markerHeight="10"
              markerUnits="userSpaceOnUse" orient="auto"><path d="M.5 1L7 4L.5 7z"/></marker>
            <marker id="await" class="awaits" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="9" markerHeight="9"
              markerUnits="userSpaceOnUse"><circle cx="4" cy="4" r="3"/></marker>
          </defs>
          <g id="drawing"></g>
        </svg>
        <details open><summary>Legend</summary><div id="legend"></div></details>
      </section>
      <aside id="details" class="card" aria-label="Details" tabindex="-1"></aside>
    </main>
    <section class="card" aria-label="Tables">
      <div id="tabs" role="tablist" aria-label="Tables"></div>
      <div id="table" role="tabpanel" tabindex="0"></div>
    </section>
    <footer>
      <kbd>/</kbd> search <kbd>←</kbd><kbd>↑</kbd><kbd>→</kbd><kbd>↓</kbd> move <kbd>Enter</kbd> show the neighbourhood
      <kbd>Esc</kbd> back <kbd>+</kbd><kbd>−</kbd><kbd>0</kbd> zoom. Drag or scroll to move the graph.
    </footer>
    """#
}
