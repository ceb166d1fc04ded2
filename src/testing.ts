// The library face for tests: the presenter conformance kit.
export {}
