/**
 * The page at `/docs`: Swagger UI as its package ships it, served by this service alone, with additions for phones,
 * dark mode and screen readers.
 */
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

/** Everything comes from the service itself; the arrows of the page are images inside its style sheet. */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
};

const STYLE = `
.swagger-ui .wrapper { padding: 0 16px; max-width: 1100px; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .scheme-container, .swagger-ui .response-col_links, .swagger-ui .view-line-link { display: none; }
.swagger-ui :is(a, button, select, input, textarea, [tabindex]):focus-visible { outline: 3px solid #d97706; outline-offset: 2px; }
.swagger-ui .info .title small { background: #4b5563; }
.swagger-ui .info .title small.version-stamp { background: #3f6212; }
.swagger-ui .info a, .swagger-ui .markdown a { color: #1d4ed8; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #fca5a5 !important; }
.swagger-ui .download-contents { background: #374151; color: #fff; }
.swagger-ui .opblock.opblock .opblock-summary .opblock-summary-method { background: #1e40af; color: #fff; text-shadow: none; }
.swagger-ui .opblock .opblock-summary-path { min-width: 0; }
.swagger-ui .btn.execute { background: #1e40af; border-color: #1e40af; color: #fff; }
.swagger-ui .btn.cancel { border-color: #b91c1c; color: #b91c1c; }
.swagger-ui .parameter__name.required::after, .swagger-ui .parameter__name.required span { color: #b91c1c; }
.swagger-ui .parameter__in { color: #4b5563; }
.swagger-ui .response-control-media-type__accept-message { color: #166534; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: inherit; }
.swagger-ui .json-schema-2020-12__constraint { background: #713f12; color: #fff; }
.swagger-ui table.headers td, .swagger-ui .headers .header-col { color: inherit; }
.dark-mode .swagger-ui .info a, .dark-mode .swagger-ui .markdown a { color: #93c5fd; }
.dark-mode .swagger-ui :is(.parameter__in, .header-col, .headers td) { color: #d1d5db; }
.dark-mode .swagger-ui .btn.cancel { border-color: #fca5a5; color: #fca5a5; }
.dark-mode .swagger-ui :is(.parameter__name.required span, .parameter__name.required::after) { color: #fca5a5; }
.dark-mode .swagger-ui .response-control-media-type__accept-message { color: #86efac; }
@media (max-width: 640px) {
  .swagger-ui .info .title { font-size: 28px; }
  .swagger-ui .opblock-body { overflow-x: auto; }
  .swagger-ui .responses-inner, .swagger-ui .parameters-container { padding: 12px; }
  .swagger-ui table.responses-table > thead { display: none; }
  .swagger-ui table:is(.responses-table, .parameters) > tbody > tr,
  .swagger-ui table:is(.responses-table, .parameters) > tbody > tr > td { display: block; padding: 4px 0; width: auto; max-width: 100%; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; width: 100%; }
}
`;

/** Runs after the page's own scripts, which build it piece by piece, so it labels elements as they appear. */
const SCRIPT = `
const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const root = document.getElementById('swagger-ui');
root.setAttribute('role', 'main');
const NAMES = [
  ['.parameter-controls .examples-select-element', 'Example of the parameter'],
  ['.response-control-examples .examples-select-element', 'Example of the answer'],
  ['.copy-to-clipboard > button', 'Copy'],
];
const LEVELS = { H3: 2, H4: 3, H5: 4 };
function name() {
  for (const [selector, label] of NAMES)
    for (const element of root.querySelectorAll(selector))
      if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', label);
  for (const heading of root.querySelectorAll('h3, h4, h5')) heading.setAttribute('aria-level', LEVELS[heading.tagName]);
  for (const scrolling of root.querySelectorAll('pre.microlight')) scrolling.tabIndex = 0;
}
new MutationObserver(name).observe(root, { childList: true, subtree: true });
name();
`;

export const DOCS_PAGE: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  staticCSP: CONTENT_SECURITY_POLICY,
  uiConfig: {
    layout: 'BaseLayout',
    // It would nest links inside buttons.
    deepLinking: false,
    tryItOutEnabled: true,
    docExpansion: 'list',
    displayRequestDuration: true,
    defaultModelsExpandDepth: 2,
    supportedSubmitMethods: ['get', 'head'],
  },
  theme: {
    title: 'food-lookup: the API',
    css: [{ filename: 'page.css', content: STYLE }],
    js: [{ filename: 'page.js', content: SCRIPT }],
  },
};
