// A crawl with colly, as its documentation has it: asynchronous, links by OnHTML, each page saved to a file.
//
//	colly URL CONNECTIONS FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/gocolly/colly/v2"
)

func main() {
	connections, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	var pages atomic.Int64
	collector := colly.NewCollector(colly.Async(true))
	if err := collector.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: connections}); err != nil {
		panic(err)
	}
	collector.OnHTML("a[href]", func(element *colly.HTMLElement) {
		// An error says that the page was visited before.
		_ = element.Request.Visit(element.Attr("href"))
	})
	collector.OnResponse(func(response *colly.Response) {
		name := fmt.Sprintf("%d.html", pages.Add(1))
		if err := response.Save(filepath.Join(os.Args[3], name)); err != nil {
			panic(err)
		}
	})
	if err := collector.Visit(os.Args[1]); err != nil {
		panic(err)
	}
	collector.Wait()
	fmt.Println(pages.Load())
}
