/** Copies text, with a fallback on insecure pages. Returns false when the browser denies it. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("[role=dialog]") ?? document.body).append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way on a page that is not secure
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
