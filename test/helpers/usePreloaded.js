// Whoever requires one of them in a test file gets the one of preloaded.js.
for (const [name, loaded] of Object.entries(globalThis.preloaded)) jest.doMock(name, () => loaded);
