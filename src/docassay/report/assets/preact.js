// What pages use of the vendored preact and htm, which a script before has loaded.

export const { html, render, useEffect, useLayoutEffect, useMemo, useRef, useState } = htmPreact;
