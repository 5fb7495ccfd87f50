import ArgumentParser
@main struct SimorghCommand: ParsableCommand {}
