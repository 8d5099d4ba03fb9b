extension InspectorPage {
  /// The style, for light and dark displays.
  static let style = #"""

    :root {
      color-scheme: light dark;
      --page: #f4f5f7; --card: #ffffff; --line: #dfe2e7; --text: #1c2026; --soft: #606873; --accent: #2457d6; --accent-soft: #e6edfd;
      --edge: #9aa3af; --awaits: #0d7d87; --cycle: #d11f2f; --captive: #b65a00; --band: #f8f9fb;
      --singleton: #2f6fcf; --singleton-fill: #e3eefc; --scoped: #7a46c8; --scoped-fill: #efe8fc; --shared: #2c8a4b; --shared-fill: #e2f5e7;
      --transient: #767e89; --transient-fill: #f3f4f6; --graph: #8f7400; --graph-fill: #fbf5d8; --pooled: #0b7f92; --pooled-fill: #dcf4f7;
      --managed: #b5531a; --managed-fill: #fdeadd; --expected: #767e89; --expected-fill: #ffffff; --missing: #d11f2f; --missing-fill: #fdeced;
      --built: #24a148; --hub: #3a4350; --hub-text: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #101317; --card: #181c22; --line: #2c323b; --text: #e8ebef; --soft: #9aa4b2; --accent: #86abff; --accent-soft: #1f2c49;
        --edge: #697382; --awaits: #3fc4cf; --cycle: #ff6b74; --captive: #f5a04c; --band: #1c2128;
        --singleton: #6ba4f5; --singleton-fill: #1a2c4a; --scoped: #b18cf2; --scoped-fill: #2d2247; --shared: #5cc27b; --shared-fill: #17331f;
        --transient: #8b95a3; --transient-fill: #262c35; --graph: #d8bb3d; --graph-fill: #352f12; --pooled: #43c0d2; --pooled-fill: #10333a;
        --managed: #f0955b; --managed-fill: #3d2415; --expected: #8b95a3; --expected-fill: #181c22; --missing: #ff6b74; --missing-fill: #3b181b;
        --built: #4cd071; --hub: #d5dbe4; --hub-text: #14171b;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body { margin: 0; padding: 0 20px 20px; background: var(--page); color: var(--text); font: 14px/1.45 system-ui, sans-serif; }
    header { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 24px; padding: 14px 0; }
    h1 { margin: 0; font-size: 20px; letter-spacing: -0.01em; }
    h1 small, small, .hint, #updated, footer { color: var(--soft); font-weight: 400; }
    h1 small { font-size: 13px; letter-spacing: 0; }
    small { font-size: 12px; }
    h2 { margin: 0 0 6px; font-size: 16px; overflow-wrap: anywhere; }
    h3 { margin: 16px 0 4px; font-size: 12px; color: var(--soft); }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
    button, select, input[type="search"] {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 4px 11px;
    }
    button { cursor: pointer; }
    button:hover { background: var(--accent-soft); }
    button.wide { width: 100%; margin: 4px 0; border-color: var(--accent); color: var(--accent); }
    button.link { border: 0; background: none; padding: 0; color: var(--accent); text-align: left; overflow-wrap: anywhere; }
    button.link:hover { text-decoration: underline; }
    select:disabled { opacity: 0.5; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    kbd {
      font: 11px/1 ui-monospace, monospace; color: var(--soft); padding: 2px 5px; margin: 0 1px; background: var(--card);
      border: 1px solid var(--line); border-radius: 4px;
    }
    .search { position: relative; flex: 1 1 260px; max-width: 480px; }
    .search input { width: 100%; padding: 7px 12px; }
    .search kbd { position: absolute; right: 10px; top: 9px; pointer-events: none; }
    .search input:focus + kbd { display: none; }
    #matches {
      position: absolute; z-index: 2; left: 0; right: 0; margin: 4px 0; padding: 4px; list-style: none; background: var(--card);
      border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 8px 24px rgb(0 0 0 / 0.22);
    }
    #matches li { padding: 5px 8px; border-radius: 5px; cursor: pointer; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
    #matches li[aria-selected="true"], #matches li[role="option"]:hover { background: var(--accent-soft); }
    .tools { display: flex; align-items: center; gap: 14px; margin-left: auto; }
    #failure { margin: 0 0 12px; padding: 9px 14px; border: 1px solid var(--cycle); border-radius: 8px; color: var(--cycle); background: var(--missing-fill); }
    main { display: grid; grid-template-columns: minmax(0, 1fr) 310px; gap: 14px; margin-bottom: 14px; }
    .canvas { display: flex; flex-direction: column; overflow: hidden; height: clamp(420px, 72vh, 1000px); }
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 9px 12px; border-bottom: 1px solid var(--line); }
    #place { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 600; }
    .choice { display: flex; }
    .choice button { border-radius: 0; margin-left: -1px; }
    .choice button:first-child { border-radius: 7px 0 0 7px; margin-left: 0; }
    .choice button:last-child { border-radius: 0 7px 7px 0; }
    .choice button[aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); font-weight: 600; }
    #graph { flex: 1; min-height: 0; width: 100%; touch-action: none; cursor: grab; }
    #graph:active { cursor: grabbing; }
    .canvas details { border-top: 1px solid var(--line); padding: 7px 12px; font-size: 12px; color: var(--soft); }
    .canvas summary { cursor: pointer; }
    #legend ul { display: flex; flex-wrap: wrap; gap: 3px 16px; margin: 6px 0 2px; padding: 0; list-style: none; }
    #legend li { display: flex; align-items: center; gap: 6px; }
    #details { padding: 14px 16px; overflow: auto; height: clamp(420px, 72vh, 1000px); }
    #details ul { margin: 0; padding: 0; list-style: none; }
    #details li { padding: 2px 0; overflow-wrap: anywhere; }
    #details .share { display: flex; align-items: center; }
    .share span:last-child { margin-left: auto; }
    #details > .hint:first-child { margin-top: 0; }
    dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 12px; margin: 12px 0 0; }
    dt { color: var(--soft); }
    dd { margin: 0; overflow-wrap: anywhere; }
    .chips { display: flex; flex-wrap: wrap; gap: 5px; margin: 0 0 8px; }
    .chip { padding: 1px 9px; border: 1px solid var(--c, var(--line)); border-radius: 99px; background: var(--f, none); font-size: 12px; }
    .dot { display: inline-block; width: 9px; height: 9px; margin-right: 7px; border: 1.5px solid var(--c); border-radius: 3px; background: var(--f); }
    .error { color: var(--cycle); overflow-wrap: break-word; white-space: pre-line; }
    #details .error { overflow-wrap: anywhere; }
    #tabs { display: flex; flex-wrap: wrap; gap: 2px; padding: 6px 8px 0; border-bottom: 1px solid var(--line); }
    #tabs button { border: 0; border-bottom: 2px solid transparent; border-radius: 6px 6px 0 0; padding: 6px 11px 8px; background: none; color: var(--soft); }
    #tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
    .count { margin-left: 7px; padding: 1px 7px; border-radius: 99px; background: var(--page); font-size: 12px; font-weight: 400; }
    .count.bad { background: var(--cycle); color: var(--card); }
    #table { max-height: 60vh; overflow: auto; }
    #table .hint, #table .chips { padding: 10px 16px; margin: 0; }
    table { width: 100%; border-collapse: collapse; }
    th, td { padding: 6px 14px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
    td { overflow-wrap: break-word; max-width: 560px; }
    th { position: sticky; top: 0; background: var(--card); box-shadow: inset 0 -1px var(--line); white-space: nowrap; }
    th button { border: 0; padding: 0; background: none; color: var(--soft); font-size: 12px; font-weight: 600; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    tbody tr:last-child td { border-bottom: 0; }
    tbody tr:hover { background: var(--band); }
    footer { padding: 12px 4px 0; font-size: 12px; }
    footer kbd:not(:first-child) { margin-left: 3px; }
    @media (max-width: 900px) {
      main { grid-template-columns: minmax(0, 1fr); }
      #details { height: auto; max-height: 50vh; }
    }

    .singleton { --c: var(--singleton); --f: var(--singleton-fill); } .scoped { --c: var(--scoped); --f: var(--scoped-fill); }
    .shared { --c: var(--shared); --f: var(--shared-fill); } .transient { --c: var(--transient); --f: var(--transient-fill); }
    .graph { --c: var(--graph); --f: var(--graph-fill); } .pooled { --c: var(--pooled); --f: var(--pooled-fill); }
    .managed { --c: var(--managed); --f: var(--managed-fill); } .expected { --c: var(--expected); --f: var(--expected-fill); }
    .missing, .faulty { --c: var(--missing); --f: var(--missing-fill); }
    svg text { font-family: system-ui, sans-serif; fill: var(--text); }
    .frame rect { fill: var(--band); stroke: var(--line); }
    .frame.lane path { stroke: var(--line); stroke-dasharray: 3 4; }
    .frame text { font-size: 11.5px; font-weight: 600; fill: var(--soft); }
    .frame.lane text { font-weight: 400; font-size: 11px; }
    .node { cursor: pointer; outline: none; }
    .node .box { fill: var(--f); stroke: var(--c); stroke-width: 1.4; }
    .node.singleton .box, .node.scoped .box, .node.pooled .box, .node.managed .box { stroke-width: 2; }
    .node.expected .box, .node.missing .box { stroke-dasharray: 6 4; }
    .node.opaque .box { stroke-dasharray: 2 3; }
    .node .back { fill: var(--f); stroke: var(--c); opacity: 0.6; }
    .node .name { font-size: 12.5px; font-weight: 600; }
    .node .traits { font-size: 10.5px; fill: var(--soft); }
    .node.root .box { stroke-width: 3.5; }
    .node:hover .box { filter: brightness(0.97); }
    .node.selected .box { stroke: var(--accent); stroke-width: 3; }
    .node:focus-visible .box { stroke: var(--accent); stroke-width: 4; }
    .built, .building { visibility: hidden; }
    .is-built .built { visibility: visible; fill: var(--built); }
    .is-building .building { visibility: visible; fill: none; stroke: var(--captive); stroke-width: 2; stroke-dasharray: 8 4; }
    .hub rect { fill: var(--hub); stroke: var(--card); }
    .hub text { font-size: 10.5px; font-weight: 600; fill: var(--hub-text); }
    .edge path { fill: none; stroke: var(--e); stroke-width: 1.2; }
    .edge text { font-size: 10.5px; fill: var(--soft); paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
    .plain { --e: var(--edge); } .awaits { --e: var(--awaits); } .cycle { --e: var(--cycle); } .captive { --e: var(--captive); }
    .edge.cycle path, .edge.captive path { stroke-width: 2.2; }
    .edge.loose path { stroke-dasharray: 5 4; }
    marker path { fill: var(--e); }
    marker.hollow path, marker circle { fill: var(--card); stroke: var(--e); stroke-width: 1.2; }
    .dense .edge { opacity: 0.35; }
    .has-selection .edge { opacity: 0.25; }
    .dense.dense .edge.linked, .has-selection .edge.linked { opacity: 1; }
    .has-selection .edge.linked path { stroke-width: 2.2; }
    .has-selection .node:not(.linked) { opacity: 0.45; }
    @media (prefers-reduced-motion: no-preference) {
      .is-building .building { animation: turn 1.2s linear infinite; }
      @keyframes turn { to { stroke-dashoffset: -24; } }
    }

    """#
}
