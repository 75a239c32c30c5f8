public import ArgumentParser
public import ViewState

extension RefreshPolicy: ExpressibleByArgument {}
