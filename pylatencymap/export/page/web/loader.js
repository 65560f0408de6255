// What a page holds is deflated, in base 64. This unpacks the script and runs it; the policy of the page has its digest.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

(async () => {
  const packed = document.getElementById("program"),
    program = document.createElement("script");
  try {
    if (typeof DecompressionStream === "undefined") {
      throw new Error("This browser cannot unpack the maps: it takes Chrome 80, Firefox 113, Safari 16.4 or later.");
    }
    program.textContent = new TextDecoder().decode(await unpacked(packed.textContent));
    packed.replaceWith(program);
  } catch (error) {
    document.getElementById("said").textContent = `${error.message} The text below says what they show.`;
  }
})();
