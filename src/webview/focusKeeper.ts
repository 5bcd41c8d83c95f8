/**
 * Keeps the focus in the conversation: when the element that had it is removed or disabled, the focus would
 * fall to the page's body, from where no key leads back. A focus that the user has taken elsewhere, also
 * to another part of the editor, is left alone.
 *
 * @param recover puts the focus where the user goes on
 */
export function keepFocus(root: HTMLElement, recover: () => void): void {
  let last: Element | undefined;
  let isPending = false;
  const look = (): void => {
    isPending = false;
    if (last === undefined || !document.hasFocus()) return;
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (!isLost || (last.isConnected && !isDisabled(last))) return;
    last = undefined;
    recover();
  };
  root.addEventListener("focusin", ({ target }) => {
    last = target as Element;
  });
  new MutationObserver(() => {
    if (isPending || last === undefined) return;
    isPending = true;
    // The browser takes the focus from a disabled element when it draws the next frame.
    requestAnimationFrame(() => requestAnimationFrame(look));
  }).observe(root, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

function isDisabled(element: Element): boolean {
  return element.hasAttribute("disabled");
}
