/** The page at `/docs`: its commands name the service that the page is from, and each has a button that copies it. */

/** The address in docs/http-api.md. */
const EXAMPLE = 'http://localhost:3001/';

/** ms for which a button confirms that it has copied. */
const CONFIRMED = 2000;

const service = new URL('.', location.href).href;
for (const code of document.querySelectorAll('pre > .language-sh')) {
  const command = code.textContent.trim().replaceAll(EXAMPLE, service);
  code.textContent = command;
  // Undefined on pages without TLS, other than those of localhost. There a click selects the command.
  if (navigator.clipboard !== undefined) code.after(copyButton(command));
}

function copyButton(command: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet-button';
  button.replaceChildren('Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(command);
    button.replaceChildren('Copied');
    setTimeout(() => button.replaceChildren('Copy'), CONFIRMED);
  });
  return button;
}
