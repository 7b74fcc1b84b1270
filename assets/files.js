// A file goes into the field that takes its text. Without this file the text is pasted.
"use strict";
(() => {
  const offerFiles = () => {
    for (const field of document.querySelectorAll(".file-only[hidden]")) field.hidden = false;
  };
  document.addEventListener("change", async (event) => {
    const into = event.target.dataset?.fileInto;
    const file = event.target.files?.[0];
    const field = into && document.getElementById(into);
    if (field && file) field.value = await file.text();
  });
  document.addEventListener("toggle", offerFiles, true);
  offerFiles();
})();
